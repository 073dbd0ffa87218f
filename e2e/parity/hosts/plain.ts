import { emptySkillState, type SkillProvider, type SkillState } from '@repertoire/skills-core';
import type { SkillTurn } from '@repertoire/skills-core/state';
import { basePrompt, context, conversation, hostTools, paritySkillset, reattach, type ModelStep } from '../conversation.ts';
import type { ModelCall, NeutralMessage, ParityHost } from '../record.ts';

/** The core alone: a loop of your own, as the guides have it. */
export const plainHost: ParityHost = { name: 'plain', play };

async function play(provider: SkillProvider): Promise<readonly ModelCall[]> {
  const skillset = paritySkillset(provider);
  const session = await skillset.open({ context, availableTools: hostTools.map(({ name }) => name) });
  const tools = [...session.tools, ...hostTools].map(({ name, description, inputSchema }) => ({
    name,
    description,
    schema: JSON.stringify(inputSchema),
  }));
  const system = session.instructions(basePrompt);
  const recorded: ModelCall[] = [];
  let kept = emptySkillState;
  let messages: NeutralMessage[] = [];
  const turnsOf = (all: readonly NeutralMessage[]) => turnsIn(all, (text) => session.lengthOf(text));

  for (const event of conversation) {
    if ('summary' in event) {
      messages = await withPutBack(cut(messages, event.summary, event.keepTurns));
      continue;
    }
    messages.push({ from: 'user', text: event.user });
    for (const step of event.model) {
      recorded.push({ system, tools, messages: [...messages], state: stateNow() });
      messages.push(...(await answer(step)));
    }
  }
  return recorded;

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
    const skillTool = session.tools.find((candidate) => candidate.name === name);
    if (skillTool !== undefined) {
      const at = turnsOf(messages).reduce((sum, { tokens = 0 }) => sum + tokens, 0);
      const { text, events } = await skillTool.execute(input, { state, at });
      kept = session.apply(kept, events);
      return text;
    }
    const verdict = await session.judgeCall(state, { tool: name, input });
    if (verdict.decision === 'denied') return String(verdict.error);
    return hostTools.find((candidate) => candidate.name === name)?.run({ order: String(input['order']) }) ?? `no tool ${name}`;
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
