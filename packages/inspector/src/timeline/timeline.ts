import { emptySkillState, type SkillSession, type Skillset, type SkillState } from '@repertoire/skills-core';
import { loadedSkillNames, reduceSkillState } from '@repertoire/skills-core/adapter';
import { skillEventOf } from '@repertoire/skills-core/internal';
import { callsOf, type RecordedDisclosure, type RecordedResult, type RecordedTurn, type Recording } from '../recording/recording.ts';
import { disclosureOf, isSkillText } from './disclosure-of.ts';

/** `refused`: a tool answered with an error. `again`: the skill was loaded already. */
export type TimelineKind = 'user' | 'answer' | 'tool' | 'refused' | 'again' | RecordedDisclosure['kind'];

/** One thing that happened in a conversation. */
export interface TimelineItem {
  /** Index of its turn in the recording. */
  readonly turn: number;
  /** When, as it was recorded. */
  readonly at: string | null;
  readonly kind: TimelineKind;
  readonly by: 'model' | 'user' | 'host';
  /** The skill or the tool that it is about; empty for words. */
  readonly subject: string;
  /** The file of the skill. */
  readonly path: string | null;
  /** The input as JSON; `null` where nothing was called or it was not recorded. */
  readonly input: string | null;
  /** What the model read or said, as far as it was recorded. */
  readonly text: string;
  readonly digest: string | null;
  readonly tokens: number;
  /** Tokens of the conversation up to here, with this. */
  readonly total: number;
  /** Skills that are loaded after it, in the order of loading. */
  readonly loaded: readonly string[];
  /** Gated tools that are open after it. */
  readonly open: readonly string[];
}

/** A recording as what happened, in order. */
export interface Timeline {
  readonly items: readonly TimelineItem[];
  /** Every tool that is gated, open or not. */
  readonly gated: readonly string[];
  /** Tokens of everything that skills disclosed. */
  readonly disclosedTokens: number;
}

/** What a timeline is judged by. */
export interface TimelineInput {
  readonly skillset: Pick<Skillset, 'toolNames' | 'countTokens'>;
  readonly session: SkillSession;
}

/** Tells what was disclosed when, by whom, what it cost, and which tools were open after it. */
export async function timelineOf({ turns }: Recording, input: TimelineInput): Promise<Timeline> {
  const writer = new TimelineWriter(turns, input);
  for (const [index, turn] of turns.entries()) await writer.addTurn(index, turn);
  const { items, gated } = writer;
  const disclosed = new Set<TimelineKind>(['load', 'read', 'restored', 'search', 'script']);
  const disclosedTokens = items.filter(({ kind }) => disclosed.has(kind)).reduce((sum, { tokens }) => sum + tokens, 0);
  return { items, gated, disclosedTokens };
}

type NewItem = Pick<TimelineItem, 'kind' | 'by' | 'subject' | 'text'> & Partial<TimelineItem>;

class TimelineWriter {
  readonly items: TimelineItem[] = [];
  readonly gated: readonly string[];
  readonly #turns: readonly RecordedTurn[];
  readonly #input: TimelineInput;
  readonly #inputs = new Map<string, unknown>();
  #state = emptySkillState;
  #total = 0;

  constructor(turns: readonly RecordedTurn[], input: TimelineInput) {
    this.#turns = turns;
    this.#input = input;
    this.gated = gatedTools(turns, input.session);
  }

  async addTurn(index: number, turn: RecordedTurn): Promise<void> {
    for (const call of callsOf(turn)) this.#inputs.set(call.id, call.input);
    if (turn.role === 'user') await this.#add(index, { kind: 'user', by: 'user', subject: '', text: turn.text });
    if (turn.role === 'assistant') {
      const text = turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
      if (text !== '') await this.#add(index, { kind: 'answer', by: 'model', subject: '', text });
    }
    if (turn.role === 'tool') for (const result of turn.results) await this.#addResult(index, result);
  }

  async #addResult(turn: number, result: RecordedResult): Promise<void> {
    const { skillset } = this.#input;
    const { tool, output: text } = result;
    const called = this.#inputs.get(result.id);
    const input = readableInput(called);
    const disclosure = result.disclosure ?? disclosureOf(result, called, skillset.toolNames);
    if (result.isFailed === true || disclosure === 'refused')
      return await this.#add(turn, { kind: 'refused', by: 'model', subject: tool, text, input });
    if (disclosure === undefined) return await this.#add(turn, { kind: 'tool', by: 'model', subject: tool, text, input });
    const { kind, skill, path = null, by = 'model', tokens, digest = null } = disclosure;
    const isAgain = kind === 'load' && loadedSkillNames(this.#state).includes(skill) && text !== '' && !isSkillText(text);
    this.#state = stateAfter(this.#state, result, called, disclosure, skillset);
    const item = { kind: isAgain ? ('again' as const) : kind, by, subject: skill, path, digest, input, text };
    await this.#add(turn, { ...item, ...(tokens !== undefined && { tokens }) });
  }

  async #add(turn: number, item: NewItem): Promise<void> {
    const tokens = item.tokens ?? (item.text === '' ? 0 : this.#input.skillset.countTokens(item.text));
    this.#total += tokens;
    const open = await openTools(this.gated, this.#input.session, this.#state);
    this.items.push({
      path: null,
      digest: null,
      input: null,
      ...item,
      turn,
      at: this.#turns[turn]?.at ?? null,
      tokens,
      total: this.#total,
      loaded: loadedSkillNames(this.#state),
      open,
    });
  }
}

/** The most characters of an input that are kept: a tool may be called with a whole file. */
const maxInputCharacters = 20_000;

function readableInput(input: unknown): string | null {
  if (input === undefined || input === null) return null;
  const text = typeof input === 'string' ? input : JSON.stringify(input, null, 2);
  return text.length > maxInputCharacters ? `${text.slice(0, maxInputCharacters)}… (${text.length} characters)` : text;
}

/** Our own results say themselves what they did; of others it is known by what the format says. */
function stateAfter(
  state: SkillState,
  { tool, output }: RecordedResult,
  input: unknown,
  { kind, skill }: RecordedDisclosure,
  { toolNames }: Pick<Skillset, 'toolNames'>,
): SkillState {
  const event = skillEventOf({ tool, input, output }, toolNames);
  if (event !== null) return reduceSkillState(state, event);
  if (kind === 'load' && !Object.hasOwn(state.loaded, skill))
    return reduceSkillState(state, { type: 'loaded', name: skill, revision: '', texts: [] });
  return kind === 'unload' ? reduceSkillState(state, { type: 'unloaded', name: skill }) : state;
}

function gatedTools(turns: readonly RecordedTurn[], session: SkillSession): string[] {
  const named = session.catalog.listed.flatMap(({ tools = [] }) => tools);
  const called = turns.flatMap((turn) => callsOf(turn).map(({ tool }) => tool));
  return [...new Set([...named, ...called])].filter((tool) => session.isGated(tool)).sort();
}

async function openTools(gated: readonly string[], session: SkillSession, state: SkillState): Promise<string[]> {
  const verdicts = await Promise.all(gated.map((tool) => session.judgeCall(state, { tool })));
  return gated.filter((_, index) => verdicts[index]?.decision !== 'denied');
}
