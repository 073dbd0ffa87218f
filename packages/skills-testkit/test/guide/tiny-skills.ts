import { emptySkillState, type SkillSession, type Skillset } from '@repertoire/skills-core';
import { assertNoReservedToolNames, restoreSkills, recordSkillEvents } from '@repertoire/skills-core/adapter';
import type { RestoreBudget, SkillStateBox } from '@repertoire/skills-core/adapter';
import type { LoopMessage, LoopPlugin, LoopTool } from './tiny-loop.ts';

export interface TinyOptions<Context> {
  readonly context: Context;
  /** The tools of the host. Skills may open and close them. */
  readonly tools: readonly LoopTool[];
  /**
   * Where the server keeps what is loaded. @default the messages decide, which clients can write
   */
  readonly state?: SkillStateBox | undefined;
  readonly restore?: RestoreBudget | undefined;
}

/** Skills for one request of the tiny loop. */
export async function tinySkills<Context>(skillset: Skillset<Context>, { context, tools, state: box, restore }: TinyOptions<Context>) {
  const availableTools = tools.map(({ name }) => name);
  assertNoReservedToolNames(availableTools, skillset.toolNames);
  const session = await skillset.open({ context, availableTools });
  let now = { state: emptySkillState, at: 0 };

  const skillTools = session.tools.map((tool): LoopTool => ({
    name: tool.name,
    description: tool.description,
    schema: tool.inputSchema,
    async run(input, callId) {
      const { text, events } = await tool.execute(input, { ...now, callId });
      await recordSkillEvents(box, events, session.apply);
      return text;
    },
  }));
  const hostTools = tools.map((tool): LoopTool => ({
    ...tool,
    async run(input, callId) {
      const verdict = await session.judgeCall(now.state, { tool: tool.name, input });
      if (verdict.decision === 'denied') return String(verdict.error);
      return verdict.decision === 'needs-approval' ? 'A person has to approve this call.' : await tool.run(input, callId);
    },
  }));
  const beforeModel: LoopPlugin['beforeModel'] = async ({ system, messages }) => {
    const back = await restoreSkills(session, turnsOf(messages, session), { ...restore, state: box?.current });
    const events = back.flatMap((text) => text.events);
    await recordSkillEvents(box, events, session.apply);
    const shown = [...messages];
    for (const { before, input, text, toolCallId: id } of back.toReversed()) {
      const call = { id, tool: skillset.toolNames.load, input };
      shown.splice(before, 0, { role: 'assistant', text: '', calls: [call] }, { role: 'tool', text, answers: call });
    }
    const turns = turnsOf(shown, session);
    const entries = turns.flatMap((turn) => turn.entries);
    const state = session.state(entries, box?.current);
    now = { state, at: turns.reduce((sum, { tokens }) => sum + tokens, 0) };
    const active = await session.activeInstructions(state);
    return { system: `${session.instructions(system)}${active === '' ? '' : `\n\n${active}`}`, messages: shown };
  };
  return { plugin: { tools: [...skillTools, ...hostTools], beforeModel } satisfies LoopPlugin, state: () => now.state };
}

/**
 * The messages in the form of the core: each result with its input, and with the place of its call.
 */
function turnsOf(messages: readonly LoopMessage[], { lengthOf }: SkillSession) {
  const places = new Map<string, number>();
  let at = 0;
  return messages.map(({ role, text, calls = [], answers }) => {
    for (const { id } of calls) places.set(id, at);
    const tokens = calls.reduce((sum, { input }) => sum + lengthOf(JSON.stringify(input)), lengthOf(text));
    at += tokens;
    const entries = answers === undefined ? [] : [{ tool: answers.tool, input: answers.input, output: text, at: places.get(answers.id) }];
    return { role, entries, callIds: calls.map(({ id }) => id), tokens };
  });
}
