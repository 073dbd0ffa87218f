import { lockedToolError, type SkillProvider, type SkillState } from '@repertoire/skills-core';
import { reduceSkillState, type SkillTranscriptEntry } from '@repertoire/skills-core/state';
import { basePrompt, context, conversation, hostTools, paritySkillset, reattach, type ModelStep } from '../conversation.ts';
import type { ModelCall, NeutralMessage, ParityHost } from '../record.ts';

/** The core alone: a loop of one's own, as the guides have it. */
export const plainHost: ParityHost = { name: 'plain', play };

async function play(provider: SkillProvider): Promise<readonly ModelCall[]> {
  const skillset = paritySkillset(provider);
  const catalog = await skillset.catalog({ context, availableTools: hostTools.map(({ name }) => name) });
  const skillTools = skillset.tools(catalog);
  const tools = [...skillTools, ...hostTools].map(({ name, description, inputSchema }) => ({
    name,
    description,
    schema: JSON.stringify(inputSchema),
  }));
  const system = skillset.instructions(catalog, basePrompt);
  const recorded: ModelCall[] = [];
  let kept = skillset.state([]);
  let messages: NeutralMessage[] = [];

  for (const event of conversation) {
    if ('summary' in event) {
      messages = cut(messages, event.summary, event.keepTurns);
      const { skills } = await skillset.reattachSkills(catalog, stateNow(), reattach);
      const pairs = skills.flatMap(({ input, text }): NeutralMessage[] => [
        { from: 'model', text: '', calls: [{ tool: 'load_skill', input }] },
        { from: 'tool', tool: 'load_skill', text },
      ]);
      const first = messages.findIndex(({ from }) => from === 'model');
      messages.splice(first === -1 ? messages.length : first, 0, ...pairs);
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
    return skillset.stateInContext(kept, transcriptOf(messages));
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
    const skillTool = skillTools.find((candidate) => candidate.name === name);
    if (skillTool !== undefined) {
      const { text, events } = await skillTool.execute(input, { state, at: tokensOf(messages) });
      kept = events.reduce(reduceSkillState, kept);
      return text;
    }
    const access = skillset.toolAccess(catalog, state, name);
    if (!access.open) return String(lockedToolError(name, access.openedBy, skillset.toolNames));
    return hostTools.find((candidate) => candidate.name === name)?.run({ order: String(input['order']) }) ?? `no tool ${name}`;
  }
}

/** The last turns of the user, behind a summary of what was before. */
function cut(messages: readonly NeutralMessage[], summary: string, keepTurns: number): NeutralMessage[] {
  const turns = messages.flatMap(({ from }, index) => (from === 'user' ? [index] : []));
  return [{ from: 'user', text: summary }, ...messages.slice(turns.at(-keepTurns))];
}

/** Results stand behind their calls, in the same order. */
function transcriptOf(messages: readonly NeutralMessage[]): SkillTranscriptEntry[] {
  const entries: SkillTranscriptEntry[] = [];
  const open: { readonly input: unknown; readonly at: number }[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.from === 'model') open.push(...message.calls.map(({ input }) => ({ input, at: tokensOf(messages.slice(0, index)) })));
    if (message.from === 'tool') entries.push({ tool: message.tool, input: undefined, ...open.shift(), output: message.text });
  }
  return entries;
}

/** The length of a conversation as the adapters count it: four characters a token, calls with their inputs. */
function tokensOf(messages: readonly NeutralMessage[]): number {
  const lengths = messages.map((message) =>
    message.from === 'model'
      ? message.calls.reduce((length, { input }) => length + JSON.stringify(input).length, message.text.length)
      : message.text.length,
  );
  return Math.ceil(lengths.reduce((sum, length) => sum + length, 0) / 4);
}
