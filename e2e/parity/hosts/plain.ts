import { emptySkillState, type SkillSession, type SkillState } from '@repertoire/skills-core';
import type { SkillTurn } from '@repertoire/skills-core/state';
import { basePrompt, context, conversation, hostTools, paritySkillset, reattach, type ModelStep } from '../conversation.ts';
import type { ModelCall, NeutralMessage, ParityHost } from '../record.ts';

/** The core alone: a loop of your own, as the guides have it. */
export const plainHost: ParityHost = {
  name: 'plain',
  async play(provider, variant) {
    const session = await paritySkillset(provider, variant).open({ context, availableTools });
    const recorded: ModelCall[] = [];
    const ask: PlainParts['ask'] = async (call, answer) => {
      recorded.push(call);
      return answer;
    };
    await playPlain({ session, ask, call: async (_id, run) => run() });
    return recorded;
  },
};

/** The tools that every request has. */
export const availableTools: readonly string[] = hostTools.map(({ name }) => name);

/** What the loop is made of. */
export interface PlainParts {
  readonly session: SkillSession;
  /** Gives a model what it reads, and gets its answer, which the script knows. */
  ask(given: ModelCall, answer: ModelStep): Promise<ModelStep>;
  /** Runs a tool of the host. */
  call(id: string, run: () => string): Promise<string>;
}

/** Plays the conversation. */
export async function playPlain({ session, ask, call }: PlainParts): Promise<void> {
  const tools = [...session.tools, ...hostTools].map(({ name, description, inputSchema }) => ({
    name,
    description,
    schema: JSON.stringify(inputSchema),
  }));
  const system = async (state: SkillState) =>
    [session.instructions(basePrompt), await session.activeInstructions(state)].filter((part) => part !== '').join('\n\n');
  let kept = emptySkillState;
  let calls = 0;
  let messages: NeutralMessage[] = [];
  const turnsOf = (all: readonly NeutralMessage[]) => turnsIn(all, (text) => session.lengthOf(text));

  for (const event of conversation) {
    if ('summary' in event) {
      messages = await withPutBack(cut(messages, event.summary, event.keepTurns));
      continue;
    }
    messages.push({ from: 'user', text: event.user });
    for (const step of event.model) {
      const state = stateNow();
      messages.push(...(await answer(await ask({ system: await system(state), tools, messages: [...messages], state }, step))));
    }
  }
  return;

  function stateNow(): SkillState {
    return session.state(
      turnsOf(messages).flatMap(({ entries }) => entries),
      kept,
    );
  }

  async function withPutBack(left: readonly NeutralMessage[]): Promise<NeutralMessage[]> {
    const back = await session.putBack(turnsOf(left), { ...reattach, kept });
    const before = (index: number) =>
      back
        .filter((skill) => skill.before === index)
        .flatMap(({ input, text }): NeutralMessage[] => [
          { from: 'model', text: '', calls: [{ tool: 'load_skill', input }] },
          { from: 'tool', tool: 'load_skill', text },
        ]);
    return [...left.flatMap((message, index) => [...before(index), message]), ...before(left.length)];
  }

  /** The model's message, and the results of the tools that it calls: all of them judged by the state that the step began in. */
  async function answer(step: ModelStep): Promise<NeutralMessage[]> {
    if (typeof step === 'string') return [{ from: 'model', text: step, calls: [] }];
    const state = stateNow();
    const results: NeutralMessage[] = [];
    for (const [tool, input] of step) results.push({ from: 'tool', tool, text: await run(tool, input, state) });
    return [{ from: 'model', text: '', calls: step.map(([tool, input]) => ({ tool, input })) }, ...results];
  }

  async function run(name: string, input: Readonly<Record<string, string | number>>, state: SkillState): Promise<string> {
    const callId = `call-${(calls += 1)}`;
    const skillTool = session.tools.find((candidate) => candidate.name === name);
    if (skillTool !== undefined) {
      const at = turnsOf(messages).reduce((sum, { tokens = 0 }) => sum + tokens, 0);
      const { text, events } = await skillTool.execute(input, { state, at, callId });
      kept = session.apply(kept, events);
      return text;
    }
    const verdict = await session.judgeCall(state, { tool: name, input });
    if (verdict.decision === 'denied') return String(verdict.error);
    return await call(
      callId,
      () => hostTools.find((tool) => tool.name === name)?.run({ order: String(input['order']) }) ?? `no tool ${name}`,
    );
  }
}

/** The last turns of the user, behind a summary of what was before. */
function cut(messages: readonly NeutralMessage[], summary: string, keepTurns: number): NeutralMessage[] {
  const turns = messages.flatMap(({ from }, index) => (from === 'user' ? [index] : []));
  return [{ from: 'user', text: summary }, ...messages.slice(turns.at(-keepTurns))];
}

/** Results stand behind their calls, in the same order. All calls of a message are at its start. */
function turnsIn(messages: readonly NeutralMessage[], lengthOf: (text: string) => number): SkillTurn[] {
  const open: { readonly input: unknown; readonly at: number }[] = [];
  let length = 0;
  return messages.map((message): SkillTurn => {
    const at = length;
    const calls = message.from === 'model' ? message.calls : [];
    for (const { input } of calls) {
      open.push({ input, at });
      length += lengthOf(JSON.stringify(input));
    }
    length += lengthOf(message.text);
    const tokens = length - at;
    if (message.from !== 'tool') return { role: message.from === 'user' ? 'user' : 'assistant', entries: [], tokens };
    return { role: 'tool', entries: [{ tool: message.tool, input: undefined, ...open.shift(), output: message.text }], tokens };
  });
}
