import { emptySkillState, type SkillProvider, type SkillSession, type SkillState } from '@repertoire/skills-core';
import { localSkillTools, type LocalSkillToolKind, type SkillTurn, restoreSkills, forkAnswer } from '@repertoire/skills-core/adapter';
import type { AdapterMessage, AdapterModelStep, AdapterTool, GivenToModel } from '../adapter-under-test.ts';
import { conversationOf } from './conversation.ts';
import {
  basePrompt,
  toolsOfSkills,
  context,
  hostTools,
  paritySkillset,
  restore,
  runFork,
  type Happened,
  type ParityVariant,
} from './parity-world.ts';

/** What a model was given in one call, and in which state. */
export interface ModelCall extends Omit<GivenToModel, 'state'> {
  readonly state: SkillState;
}

/** The reference: plays the conversation with the core alone, as the guides do. */
export async function playReference(provider: SkillProvider, variant: ParityVariant, happened?: Happened): Promise<readonly ModelCall[]> {
  const opened = await paritySkillset(provider, variant, happened).open({ context, availableTools });
  const recorded: ModelCall[] = [];
  const ask: PlainParts['ask'] = async (given, answer) => {
    recorded.push(given);
    return answer;
  };
  await playPlain({ opened, variant, ask, call: async (_id, run) => run() });
  return recorded;
}

/** The tools that every request has. */
export const availableTools: readonly string[] = hostTools.map(({ name }) => name);

/** What the loop is made of. */
export interface PlainParts {
  readonly opened: SkillSession;
  readonly variant: ParityVariant;
  /** Gives a model what it reads, and gets its answer, which the script knows. */
  ask(given: ModelCall, answer: AdapterModelStep): Promise<AdapterModelStep>;
  /** Runs a tool of the host. */
  call(id: string, run: () => string): Promise<string>;
}

/** Plays the conversation. */
export async function playPlain(parts: PlainParts): Promise<void> {
  const opened = parts.variant === 'extended' ? await bringTools(parts.opened) : new Map<string, AdapterTool[]>();
  const loop = new PlainLoop(parts, opened);
  for (const event of conversationOf(parts.variant)) {
    if ('summary' in event) await loop.summarize(event.summary, event.keepTurns);
    else await loop.turn(event.user, event.model);
  }
}

class PlainLoop {
  readonly #parts: PlainParts;
  readonly #session: SkillSession;
  readonly #tools: readonly AdapterTool[];
  readonly #described: ModelCall['tools'];
  #calls = 0;
  #kept = emptySkillState;
  #messages: AdapterMessage[] = [];

  constructor(parts: PlainParts, opened: ReadonlyMap<string, readonly AdapterTool[]>) {
    this.#parts = parts;
    this.#session = parts.opened.withToolsOfSkills(new Map([...opened].map(([skill, its]) => [skill, its.map(({ name }) => name)])));
    this.#tools = [...hostTools, ...[...opened.values()].flat()];
    this.#described = [...this.#session.tools, ...this.#tools].map(({ name, description, inputSchema }) => ({
      name,
      description,
      schema: JSON.stringify(inputSchema),
    }));
  }

  async summarize(summary: string, keepTurns: number): Promise<void> {
    this.#messages = await this.#withRestored(cut(this.#messages, summary, keepTurns));
  }

  async turn(user: string, steps: readonly AdapterModelStep[]): Promise<void> {
    this.#messages.push({ from: 'user', text: user });
    for (const step of steps) {
      // With what is due, for this call alone.
      const shown = this.#session.refreshes ? await this.#withRestored(this.#messages) : [...this.#messages];
      const entries = this.#turnsOf(shown).flatMap((turn) => turn.entries);
      const state = this.#session.state(entries, this.#kept);
      const given = { system: await this.#system(state), tools: await this.#toolsNow(state), messages: shown, state };
      this.#messages.push(...(await this.#answer(await this.#parts.ask(given, step), shown, state)));
    }
  }

  async #system(state: SkillState): Promise<string> {
    const active = await this.#session.activeInstructions(state);
    return [this.#session.instructions(basePrompt), active].filter((part) => part !== '').join('\n\n');
  }

  async #toolsNow(state: SkillState): Promise<ModelCall['tools']> {
    if (this.#parts.variant !== 'extended') return this.#described;
    const names = this.#described.map(({ name }) => name);
    const visible = await this.#session.visibleTools(names, state);
    return visible.flatMap((name) => this.#described.filter((tool) => tool.name === name));
  }

  #turnsOf(messages: readonly AdapterMessage[]): SkillTurn[] {
    return turnsIn(messages, (text) => this.#session.lengthOf(text));
  }

  async #withRestored(left: readonly AdapterMessage[]): Promise<AdapterMessage[]> {
    const back = await restoreSkills(this.#session, this.#turnsOf(left), { ...restore, state: this.#kept });
    const events = back.flatMap((skill) => skill.events);
    this.#kept = this.#session.apply(this.#kept, events);
    const before = (index: number) =>
      back
        .filter((skill) => skill.before === index)
        .flatMap(({ input, text }): AdapterMessage[] => [
          { from: 'model', text: '', calls: [{ tool: 'load_skill', input }] },
          { from: 'tool', tool: 'load_skill', text },
        ]);
    return [...left.flatMap((message, index) => [...before(index), message]), ...before(left.length)];
  }

  /**
   * The model's message and its tool results. All calls are judged by the state at the step's
   * start.
   */
  async #answer(step: AdapterModelStep, shown: readonly AdapterMessage[], state: SkillState): Promise<AdapterMessage[]> {
    if (typeof step === 'string') return [{ from: 'model', text: step, calls: [] }];
    const at = this.#turnsOf(shown).reduce((sum, { tokens = 0 }) => sum + tokens, 0);
    const results: AdapterMessage[] = [];
    for (const [tool, input] of step) results.push({ from: 'tool', tool, text: await this.#run(tool, input, { state, at }) });
    return [{ from: 'model', text: '', calls: step.map(([tool, input]) => ({ tool, input })) }, ...results];
  }

  async #run(name: string, input: Readonly<Record<string, unknown>>, call: { state: SkillState; at: number }): Promise<string> {
    const callId = `call-${(this.#calls += 1)}`;
    const skillTool = this.#session.tools.find((candidate) => candidate.name === name);
    if (skillTool !== undefined) {
      const canFork = this.#parts.variant === 'extended';
      const { text, events, fork } = await skillTool.execute(input, { ...call, callId, canFork });
      this.#kept = this.#session.apply(this.#kept, events);
      return fork === undefined ? text : forkAnswer(fork.skill, () => runFork(fork));
    }
    const verdict = await this.#session.judgeCall(call.state, { tool: name, input });
    if (verdict.decision === 'denied') return String(verdict.error);
    return await this.#parts.call(callId, () => this.#tools.find((tool) => tool.name === name)?.run(input) ?? `no tool ${name}`);
  }
}

const localTools: LocalSkillToolKind<AdapterTool> = {
  isTool: (value): value is AdapterTool => typeof value === 'object' && value !== null && 'name' in value,
  title: 'tool of this host',
  fix: 'Export a tool.',
};

async function bringTools({ catalog }: SkillSession): Promise<Map<string, AdapterTool[]>> {
  const opened = new Map<string, AdapterTool[]>();
  const toolsOf = localSkillTools({ map: toolsOfSkills }, localTools);
  for (const skill of catalog.listed) {
    const { tools } = await toolsOf(skill);
    if (tools.size > 0) opened.set(skill.name, [...tools.values()]);
  }
  return opened;
}

/** The last turns of the user behind a summary. */
function cut(messages: readonly AdapterMessage[], summary: string, keepTurns: number): AdapterMessage[] {
  const turns = messages.flatMap(({ from }, index) => (from === 'user' ? [index] : []));
  return [{ from: 'user', text: summary }, ...messages.slice(turns.at(-keepTurns))];
}

/** Results stand behind their calls, in the same order. All calls of a message are at its start. */
function turnsIn(messages: readonly AdapterMessage[], lengthOf: (text: string) => number): SkillTurn[] {
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
