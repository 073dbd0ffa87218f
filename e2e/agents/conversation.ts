import { createSkillset, defineSkill, type SkillDiagnostic, type Skillset } from '@repertoire/skills-core';

/** A library of five skills; one of them opens a tool, and has a file. */
const skills = [
  defineSkill({
    name: 'refunds',
    description: 'Gives money back. Use when a customer wants a refund.',
    body: 'Read references/limits.md first. Pay back with issue_refund.',
    tools: ['issue_refund'],
    resources: { 'references/limits.md': 'Clerks may refund up to 50 EUR.' },
  }),
  defineSkill({ name: 'returns', description: 'Takes goods back. Use when a customer sends something back.', body: 'Send a label.' }),
  defineSkill({ name: 'invoices', description: 'Writes and corrects invoices.', body: 'Numbers never have gaps.' }),
  defineSkill({ name: 'greetings', description: 'Greets customers in their language. Use at the start.', body: 'Say good day.' }),
  defineSkill({ name: 'complaints', description: 'Answers complaints. Use when a customer is angry.', body: 'Say sorry first.' }),
];

export const skillNames = skills.map(({ name }) => name);
const bodyOfRefunds = 'Pay back with issue_refund.';
const textOfLimits = 'up to 50 EUR';
export const basePrompt = 'You are a support agent.';
export const question = 'I want my money back for order A-17.';
export const refundTool = { name: 'issue_refund', description: 'Pays back an order.' } as const;
export const refundSchema = {
  type: 'object',
  properties: { order: { type: 'string' } },
  required: ['order'],
  additionalProperties: false,
} as const;

/** Five skills, and a gate that nobody but a loaded skill may open. */
export function supportSkillset(onDiagnostic?: (diagnostic: SkillDiagnostic) => void): Skillset {
  return createSkillset({ skills, gates: { tools: ['issue_refund'] }, onDiagnostic });
}

/** A call of a tool, as the model writes it. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** How a framework calls what loads a skill and reads a file. */
export interface CallNames {
  load(skill: string): ScriptedCall;
  read(skill: string, path: string): ScriptedCall;
}

/** The script of every model: pay too early, load, read, pay, say so. */
export function scriptFor({ load, read }: CallNames): readonly (ScriptedCall | string)[] {
  const pay = { tool: refundTool.name, input: { order: 'A-17' } };
  return [pay, load('refunds'), read('refunds', 'references/limits.md'), pay, 'You get your money back.'];
}

/** One request to a model. */
export interface SeenRequest {
  /** The system prompt, and the tools with their schemas, as JSON. */
  readonly system: string;
  readonly tools: string;
  /** The results of all tools so far, in order. */
  readonly results: readonly string[];
}

/** A framework that plays the conversation. */
export interface AgentHost {
  readonly framework: string;
  /** How the library gets there. */
  readonly by: string;
  /** Whether the first request names the skills. @default true */
  readonly hasCatalog?: boolean | undefined;
  play(skillset: Skillset, pay: () => string): Promise<readonly SeenRequest[]>;
}

/** What came of one run. */
export interface AgentOutcome {
  readonly framework: string;
  readonly by: string;
  readonly listed: number;
  readonly tokens: number;
  readonly gotBody: boolean;
  readonly gotFile: boolean;
  readonly earlyRefund: 'refused' | 'paid';
  readonly lateRefund: 'refused' | 'paid';
  readonly isTold: boolean;
}

/** Plays the conversation on a framework and reads from the requests what happened. */
export async function outcomeOf(host: AgentHost): Promise<AgentOutcome> {
  const told: string[] = [];
  const skillset = supportSkillset(({ code }) => told.push(code));
  let paid = 0;
  const paidBefore: number[] = [];
  const requests = await host.play(skillset, () => {
    paid += 1;
    return 'Paid back.';
  });
  const last = requests.at(-1);
  if (last === undefined || requests.length !== 5) throw new Error(`${host.framework} made ${requests.length} requests.`);
  for (const { results } of requests) paidBefore.push(results.filter((text) => text.includes('Paid back.')).length);
  const [first] = requests;
  const text = `${first?.system ?? ''}\n${first?.tools ?? ''}`;
  const results = last.results.join('\n');
  return {
    framework: host.framework,
    by: host.by,
    listed: skillNames.filter((name) => text.includes(name)).length,
    tokens: skillset.countTokens(text),
    gotBody: results.includes(bodyOfRefunds),
    gotFile: results.includes(textOfLimits),
    earlyRefund: paidBefore[1] === 1 ? 'paid' : 'refused',
    lateRefund: paid - (paidBefore[1] ?? 0) === 1 ? 'paid' : 'refused',
    isTold: told.includes('bridge-not-gated'),
  };
}
