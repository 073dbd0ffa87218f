import {
  createSkillset,
  emptySkillState,
  skillAllowedTools,
  skillApprovals,
  SkillRegistry,
  type SkillActivity,
  type SkillAnswer,
  type SkillApprovalsOptions,
  type SkillDefinition,
  type SkillProvider,
  type SkillQuestion,
  type SkillsetOptions,
  type SkillState,
} from '@repertoire/skills-core';
import { openSkillset } from '@repertoire/skills-core/adapter';
import { foldEvents } from './loaded-state.ts';

/** A skill of somebody else that asks for everything that needs no runner. */
export const helper = (edit: Partial<SkillDefinition> = {}): SkillDefinition => ({
  name: 'helper',
  description: 'Helps.',
  tools: ['pay'],
  allowedTools: ['search'],
  model: 'large',
  body: 'First line.\nSecond line.',
  resources: { 'guide.md': 'A guide.', 'scripts/a.sh': 'echo a' },
  ...edit,
});

/** A source whose skills can be replaced. */
export function changingSource(first: readonly SkillDefinition[], label = 'web', trusted = false) {
  let inner = new SkillRegistry({ skills: first, label, trusted });
  const provider: SkillProvider = {
    label,
    listSkills: (options) => inner.listSkills(options),
    getSkill: (...given) => inner.getSkill(...given),
    readResource: (...given) => inner.readResource(...given),
    contentOf: async (...given) => await inner.contentOf?.(...given),
  };
  return { provider, replace: (...next: readonly SkillDefinition[]) => void (inner = new SkillRegistry({ skills: next, label, trusted })) };
}

/** A store that outlives processes. */
export function sharedStore() {
  const texts = new Map<string, string>();
  return {
    texts,
    get: async (key: string) => texts.get(key),
    set: async (key: string, value: string) => void texts.set(key, value),
    delete: async (key: string) => void texts.delete(key),
    take: async (key: string) => {
      const text = texts.get(key);
      texts.delete(key);
      return text;
    },
    keys: async (prefix: string) => [...texts.keys()].filter((key) => key.startsWith(prefix)),
  };
}

export interface Desk {
  state: SkillState;
  readonly events: SkillActivity[];
  /** Calls a tool as an adapter does: judged, asked about, and then executed or not. */
  call(tool: string, input: unknown, id: string, person?: (question: SkillQuestion) => Answer): Promise<Called>;
  judge(tool: string, input?: unknown, id?: string): Promise<string>;
  model(): Promise<string | undefined>;
}

export type Answer = SkillAnswer['answer'] | SkillAnswer;

export interface Called {
  readonly text: string;
  readonly questions: readonly SkillQuestion[];
}

/** One conversation in one process. */
export function deskOf<Context = undefined>(
  provider: SkillProvider,
  options: SkillApprovalsOptions<Context> = {},
  more: Partial<SkillsetOptions<Context>> & { readonly context?: Context; readonly conversation?: string; readonly from?: SkillState } = {},
): Desk {
  const { context, conversation, from = emptySkillState, ...rest } = more;
  const events: SkillActivity[] = [];
  const store = options.store ?? sharedStore();
  const start = () =>
    createSkillset<Context>({
      provider,
      gates: { tools: ['pay'] },
      allowedTools: skillAllowedTools({ policy: 'pre-approve' }),
      approvals: skillApprovals<Context>({
        codeTools: ['bash', 'write_*'],
        now: () => new Date('2026-01-02T03:04:05Z'),
        ...options,
        store,
      }),
      onEvent: (event) => events.push(event),
      ...rest,
    });
  const skillset = start();
  const desk: Desk = {
    state: from,
    events,
    async call(tool, input, id, person = () => 'no') {
      const session = await openSkillset(skillset, { context, conversation });
      const questions: SkillQuestion[] = [];
      const verdict = await session.judgeCall(desk.state, { tool, input, id });
      if (verdict.decision === 'denied') return { text: String(verdict.error), questions };
      if (verdict.decision === 'needs-approval') {
        const question = await session.approvals?.ask(desk.state, { tool, input, id });
        if (question === undefined) throw new Error('Nobody is asked.');
        questions.push(question);
        const said = person(question);
        const answer = typeof said === 'string' ? { answer: said } : said;
        // Whoever answers is in another process, which knows nothing but the id.
        const { approvals } = await openSkillset(start(), { context, conversation });
        if ((await approvals?.answer(JSON.parse(JSON.stringify(question)).id as string, answer)) !== true)
          return { text: String(verdict.error), questions };
        const isOwn = session.tools.some(({ name }) => name === tool);
        if (!isOwn && (await session.approvals?.take(question.id)) !== true) return { text: String(verdict.error), questions };
      }
      const own = session.tools.find(({ name }) => name === tool);
      if (own === undefined) return { text: 'ran', questions };
      const result = await own.execute(input, { state: desk.state, callId: id });
      desk.state = foldEvents(result.events, desk.state);
      return { text: result.text, questions };
    },
    async judge(tool, input = {}, id = 'judged') {
      return (await (await openSkillset(skillset, { context, conversation })).judgeCall(desk.state, { tool, input, id })).decision;
    },
    async model() {
      return await (await openSkillset(skillset, { context, conversation })).model(desk.state);
    },
  };
  return desk;
}
