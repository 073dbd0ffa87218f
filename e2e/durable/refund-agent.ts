import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import type { SkillProvider } from '@repertoire/skills-core';
import { loadedSkillNames, type SkillTranscriptEntry } from '@repertoire/skills-core/adapter';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { durableAgent, type DurableAgent, type DurableEngine } from '@repertoire/skill-workflow/agent';
import { durableAiSdk } from '@repertoire/skill-workflow/ai-sdk';
import { generateText, isStepCount, jsonSchema, streamText, tool, ToolLoopAgent } from 'ai';
import { watchedEngine, type World } from './world.ts';

/** Which loop the agent runs in. */
export const loops = ['core', 'generateText', 'streamText', 'ToolLoopAgent'] as const;
export type Loop = (typeof loops)[number];

/** What a run ends with. */
export interface RefundResult {
  readonly text: string;
  readonly loaded: readonly string[];
  /** The tools' answers, in order. */
  readonly answers: readonly string[];
}

interface Call {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, string>>;
}

const calls = (turn: number, ...named: readonly (readonly [string, Readonly<Record<string, string>>])[]): Call[] =>
  named.map(([toolName, input]) => ({ toolCallId: `${turn}-${toolName}`, toolName, input }));

/** A scripted model that answers by what it reads, as a real one does: a count of its calls would die with the process. */
export function answerTo(turn: number): { readonly text: string } | { readonly toolCalls: readonly Call[] } {
  if (turn === 0) return { toolCalls: calls(0, ['charge', {}]) };
  if (turn === 1) return { toolCalls: calls(1, ['load_skill', { name: 'refunds' }]) };
  if (turn === 2)
    return { toolCalls: calls(2, ['charge', {}], ['mail', {}], ['read_skill_file', { skill: 'refunds', path: 'references/policy.md' }]) };
  return { text: 'Refunded.' };
}

/** The skill; its body may have changed since the last process died. */
export function refundSkills(body = 'First charge, then mail.'): SkillProvider {
  return fixedSkillProvider([
    {
      name: 'refunds',
      description: 'Refunds money.',
      body,
      tools: ['charge'],
      resources: { 'references/policy.md': `Policy of: ${body}` },
    },
  ]);
}

/** Runs the agent in a run of an engine. */
export async function refundAgent(loop: Loop, engine: DurableEngine, world: World, source: SkillProvider): Promise<RefundResult> {
  const durable = durableAgent(watchedEngine(engine, world));
  return await (loop === 'core' ? coreLoop(durable, world, source) : aiSdkLoop(loop, durable, world, source));
}

async function act(world: World, name: string, key: string): Promise<string> {
  await world.act(key);
  return `${name} ok`;
}

async function coreLoop(durable: DurableAgent, world: World, provider: SkillProvider): Promise<RefundResult> {
  const { session } = await durable.openSkills({ provider });
  const transcript: SkillTranscriptEntry[] = [];
  for (let turn = 0; ; turn += 1) {
    const request = { system: session.instructions('Help.'), transcript };
    const answer = await durable.askModel(async () => {
      await world.note(`read ${turn}`, JSON.stringify(request));
      return answerTo(turn);
    });
    const state = session.state(transcript);
    if ('text' in answer) return { text: answer.text, loaded: loadedSkillNames(state), answers: transcript.map(({ output }) => output) };
    const entries = answer.toolCalls.map(({ toolCallId, toolName, input }) =>
      durable.inTurn(toolCallId, async (id): Promise<SkillTranscriptEntry> => {
        const own = session.tools.find(({ name }) => name === toolName);
        if (own !== undefined) return { tool: toolName, input, output: (await own.execute(input, { state, callId: id })).text };
        const verdict = await session.judgeCall(state, { tool: toolName, input });
        if (verdict.decision === 'denied') return { tool: toolName, input, output: String(verdict.error) };
        return { tool: toolName, input, output: await durable.callTool(id, ({ idempotencyKey }) => act(world, toolName, idempotencyKey)) };
      }),
    );
    transcript.push(...(await Promise.all(entries)));
  }
}

async function aiSdkLoop(loop: Exclude<Loop, 'core'>, durable: DurableAgent, world: World, provider: SkillProvider): Promise<RefundResult> {
  const model = scriptedModel(async ({ prompt, tools }) => {
    const turn = prompt.filter(({ role }) => role === 'tool').length;
    await world.note(`read ${turn}`, JSON.stringify({ prompt, tools }));
    return answerTo(turn);
  });
  const hostTool = (name: string) =>
    tool({
      description: name,
      inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
      execute: (_input, { toolCallId }) => act(world, name, toolCallId),
    });
  const { skillset, session } = await durable.openSkills({ provider });
  const sdk = durableAiSdk(durable);
  const skills = await aiSdkSkills(skillset, { session, tools: sdk.tools({ charge: hostTool('charge'), mail: hostTool('mail') }) });
  const settings = { ...sdk.settings({ model, ...skills.agentSettings({ instructions: 'Help.' }) }), stopWhen: isStepCount(9) };
  const prompt = 'Refund order A-17.';
  const { text, responseMessages } = await run();
  const answers = responseMessages.flatMap(({ role, content }) =>
    role !== 'tool'
      ? []
      : content.flatMap((part) => (part.type === 'tool-result' && 'value' in part.output ? [String(part.output.value)] : [])),
  );
  return { text, loaded: loadedSkillNames(skills.state(responseMessages)), answers };

  async function run() {
    if (loop === 'generateText') return await generateText({ ...settings, prompt });
    if (loop === 'ToolLoopAgent') return await new ToolLoopAgent(settings).generate({ prompt });
    const stream = streamText({ ...settings, prompt });
    return { text: await stream.text, responseMessages: await stream.responseMessages };
  }
}
