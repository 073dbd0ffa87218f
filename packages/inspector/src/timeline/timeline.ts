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
export async function timelineOf({ turns }: Recording, { skillset, session }: TimelineInput): Promise<Timeline> {
  const items: TimelineItem[] = [];
  const gated = gatedTools(turns, session);
  let state = emptySkillState;
  let total = 0;
  const inputs = new Map<string, { readonly tool: string; readonly input: unknown }>();

  async function add(turn: number, item: Pick<TimelineItem, 'kind' | 'by' | 'subject' | 'text'> & Partial<TimelineItem>): Promise<void> {
    const tokens = item.tokens ?? (item.text === '' ? 0 : skillset.countTokens(item.text));
    total += tokens;
    const open = await openTools(gated, session, state);
    items.push({
      path: null,
      digest: null,
      input: null,
      ...item,
      turn,
      at: turns[turn]?.at ?? null,
      tokens,
      total,
      loaded: loadedSkillNames(state),
      open,
    });
  }

  async function addResult(turn: number, result: RecordedResult): Promise<void> {
    const call = inputs.get(result.id);
    const input = call === undefined ? null : readableInput(call.input);
    const disclosure = result.disclosure ?? disclosureOf(result, call?.input, skillset.toolNames);
    if (result.isFailed === true || disclosure === 'refused') {
      await add(turn, { kind: 'refused', by: 'model', subject: result.tool, text: result.output, input });
      return;
    }
    if (disclosure === undefined) {
      await add(turn, { kind: 'tool', by: 'model', subject: result.tool, text: result.output, input });
      return;
    }
    const { kind, skill, path = null, by = 'model', tokens, digest = null } = disclosure;
    const isAgain = kind === 'load' && loadedSkillNames(state).includes(skill) && result.output !== '' && !isSkillText(result.output);
    state = stateAfter(state, result, call?.input, disclosure, skillset);
    await add(turn, {
      kind: isAgain ? 'again' : kind,
      by,
      subject: skill,
      path,
      digest,
      input,
      text: result.output,
      ...(tokens !== undefined && { tokens }),
    });
  }

  for (const [index, turn] of turns.entries()) {
    for (const call of callsOf(turn)) inputs.set(call.id, call);
    if (turn.role === 'user') await add(index, { kind: 'user', by: 'user', subject: '', text: turn.text });
    if (turn.role === 'assistant') {
      const text = turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
      if (text !== '') await add(index, { kind: 'answer', by: 'model', subject: '', text });
    }
    if (turn.role === 'tool') for (const result of turn.results) await addResult(index, result);
  }
  const disclosed = new Set<TimelineKind>(['load', 'read', 'put-back', 'search', 'script']);
  const disclosedTokens = items.filter(({ kind }) => disclosed.has(kind)).reduce((sum, { tokens }) => sum + tokens, 0);
  return { items, gated, disclosedTokens };
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
