import { contentElement, readFrame } from '../prompt/frames.ts';
import { skillChangedText } from '../prompt/model-texts.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { hashText } from '../providers/digest/hash-text.ts';
import { refreshes, refreshPolicyOf, skillsDueForRefresh } from '../state/refresh.ts';
import { hostCallId } from '../state/host-call.ts';
import { emptySkillState, loadedSkill, settledState, type SkillState } from '../state/skill-state.ts';
import { SkillStateFold } from '../state/skill-state-fold.ts';
import { skillStateInContext, textOwners } from '../state/state-in-context.ts';
import { eventOf, skillStateFromTranscript } from '../state/transcript.ts';
import type { SkillTranscriptEntry } from '../state/transcript-entry.ts';
import type { SkillSession } from './skill-session.ts';
import { inputOf, lostTexts, type RestoreBudget, type RestoredText, type SessionInside } from '../tools/activation/lost-texts.ts';
import type { OmittedSkill } from '../tools/activation/skill-instructions.ts';

/** One message of a conversation, in no framework's shape. */
export interface SkillTurn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** The tool calls whose results stand in this message. */
  readonly entries: readonly SkillTranscriptEntry[];
  /** Ids of the tool calls that this message makes. @default none */
  readonly callIds?: readonly string[] | undefined;
  /** Length of the message, by `session.lengthOf`. @default 0 */
  readonly tokens?: number | undefined;
}

/** Options of `restoreSkills`. */
export interface RestoreOptions extends RestoreBudget {
  readonly signal?: AbortSignal | undefined;
  /** What the conversation has loaded, if a server keeps it. @default derived from the turns */
  readonly state?: SkillState | undefined;
  /** Whether to restore what was cut. @default true; what is due is repeated in any case */
  readonly lost?: boolean | undefined;
}

/** A skill's text to insert into the messages: a call of the load tool and its result. */
export interface RestoredSkill extends RestoredText {
  /** Index of the message that it stands before; the number of messages for the end. */
  readonly before: number;
  /** Id of the call. It is the same at the same place in every request. */
  readonly toolCallId: string;
}

/**
 * Decides what to insert into a conversation before the next model call: the instructions of loaded
 * skills whose text was cut from it, and those that the refresh policy has due. It is a view for
 * one model call: the same messages give the same insertions at the same places, so the prompt only
 * grows. With a saved state, record the `events` of each insertion.
 *
 * What was cut goes before the first message of the model, where it stays while the conversation
 * grows. What is due goes where it became due, never between a tool call and its result.
 *
 * @example
 * ```ts
 * import type { SkillSession, SkillState } from '@repertoire/skills-core';
 * import { restoreSkills, type SkillTurn } from '@repertoire/skills-core/adapter';
 *
 * export async function missing(session: SkillSession, turns: readonly SkillTurn[], saved: SkillState): Promise<string[]> {
 *   return (await restoreSkills(session, turns, { state: saved })).map(({ text }) => text);
 * }
 * ```
 */
export async function restoreSkills(
  session: SkillSession,
  turns: readonly SkillTurn[],
  { state: saved, lost: restoresLost = true, ...room }: RestoreOptions = {},
): Promise<readonly RestoredSkill[]> {
  const { inside } = session;
  const { activation, catalog, names } = inside.host;
  const settled = saved === undefined ? undefined : settledState(saved, activation);
  const given = settled === undefined ? turns : givenTurns(names, turns, settled);
  const entries = given.flatMap((turn) => turn.entries);
  const options = { toolNames: names, activation };
  const shown = skillStateFromTranscript(entries, options);
  const now = settled === undefined ? shown : skillStateInContext(settled, entries, options);
  const lost = await lostTexts(inside, now, restoresLost ? room : { ...room, names: [] });
  const first = turns.findIndex(({ role }) => role === 'assistant');
  const place = first === -1 ? turns.length : first;
  const back = [
    ...lost.skills.map((skill) => insertion(names, skill, place, 'lost')),
    ...notices(names, now, lost.omitted, { turns, place }),
  ];
  if (!refreshes(inside.refresh, catalog.listed)) return back;
  // What was repeated stays repeated after its skill is unloaded, so that the prompt only grows. A
  // skill that the messages alone claim has no such past: its unloading may have been cut from
  // them, or they may be forged.
  const isClaimed = (name: string) => loadedSkill(shown, name) !== undefined && loadedSkill(now, name) === undefined;
  return withDue(inside, given, back, { isClaimed, state: settled, ...room });
}

/**
 * The turns without texts that claim to be of a loaded skill and are none that the host gave for
 * it.
 */
function givenTurns(names: SkillToolNames, turns: readonly SkillTurn[], saved: SkillState): readonly SkillTurn[] {
  const owners = textOwners(saved);
  const isGiven = ({ tool, output }: SkillTranscriptEntry) =>
    tool !== names.load ||
    owners.has(hashText(output)) ||
    loadedSkill(saved, readFrame(contentElement, output)?.['name'] ?? '') === undefined;
  return turns.map((turn) => (turn.entries.every(isGiven) ? turn : { ...turn, entries: turn.entries.filter(isGiven) }));
}

/**
 * In place of instructions that are no longer to be had, one sentence. It stands once, also where a
 * framework carries insertions on.
 */
function notices(
  names: SkillToolNames,
  state: SkillState,
  omitted: readonly OmittedSkill[],
  { turns, place }: { readonly turns: readonly SkillTurn[]; readonly place: number },
): readonly RestoredSkill[] {
  const standing = new Set(turns.flatMap(({ callIds = [] }) => callIds));
  return omitted
    .filter(({ reason }) => reason === 'changed' || reason === 'gone')
    .map(({ name, reason }) => {
      const text = skillChangedText(name, reason === 'gone' ? 'gone' : 'content', names);
      return insertion(names, { name, input: inputOf(state, name), text, cut: false, events: [] }, place, 'changed');
    })
    .filter(({ toolCallId }) => !standing.has(toolCallId));
}

/** A message of the conversation as it reads with the insertions. */
interface Place {
  readonly turn: SkillTurn;
  /** What is inserted behind it stands before this message of the conversation. */
  readonly before: number;
  /** What was inserted here; a call, and then its result. */
  readonly inserted?: RestoredSkill;
}

/**
 * What was lost, and what is due. Frameworks carry insertions on from step to step, so the line in
 * which is counted and decided holds them as the messages that they become: the next call finds
 * them where this one placed them, and decides the same.
 */
async function withDue(
  session: SessionInside,
  turns: readonly SkillTurn[],
  lost: readonly RestoredSkill[],
  { isClaimed, state: saved, ...room }: RestoreOptions & { readonly isClaimed: (skill: string) => boolean },
): Promise<readonly RestoredSkill[]> {
  const { names: tools, activation } = session.host;
  const line: Place[] = turns.map((turn, index) => ({ turn, before: index + 1 }));
  const start = lost[0]?.before ?? 0;
  line.splice(start, 0, ...placesOf(session, lost, lengthOfTurns(turns.slice(0, start))));
  const fold = new SkillStateFold(emptySkillState, activation);
  let tokens = 0;
  // Insertions at one place are a group. Nothing is decided inside of it, and nothing is repeated
  // again right behind it.
  let groupEnd = -1;
  let repeated: readonly string[] = [];
  for (let index = 0; index < line.length; index += 1) {
    const { turn, before } = line[index] as Place;
    if (index > groupEnd) repeated = [];
    for (const entry of turn.entries) {
      const event = eventOf(entry, tools);
      if (event !== null) fold.add(event);
    }
    tokens += turn.tokens ?? 0;
    if (index < groupEnd || turn.role === 'assistant' || turn.role === 'system' || line[index + 1]?.turn.role === 'tool') continue;
    const shown = fold.state;
    const names = dueNames(session, shown, tokens).filter((name) => !repeated.includes(name) && !isClaimed(name));
    if (names.length === 0) continue;
    repeated = [...repeated, ...names];
    const place = `due-${index}`;
    const ids = names.map((name) => hostCallId(place, tools.load, inputOf(shown, name)));
    const standing = countStanding(line, index, ids);
    groupEnd = index + 2 * standing;
    // An earlier step of the same call did it already.
    if (standing > 0) continue;
    const { skills } = await lostTexts(session, asSaved(shown, saved), { ...room, names });
    // A source that fails now is not asked again at each message; what stands in the messages
    // stays.
    if (skills.length === 0) break;
    const inserts = skills.map((skill) => insertion(tools, skill, before, place));
    line.splice(index + 1, 0, ...placesOf(session, inserts, tokens));
    groupEnd = index + 2 * inserts.length;
  }
  return line.flatMap(({ inserted }) => inserted ?? []);
}

/**
 * What the messages show as loaded at a place, as the saved state has it: identity and content are
 * never read from a message.
 */
function asSaved(shown: SkillState, saved: SkillState | undefined): SkillState {
  const entries = Object.entries(shown.loaded).map(([name, entry]) => {
    const pinned = saved && loadedSkill(saved, name);
    if (pinned === undefined) return [name, entry] as const;
    const { arguments: _given, ...rest } = pinned;
    return [name, { ...rest, sequence: entry.sequence, ...(entry.arguments !== undefined && { arguments: entry.arguments }) }] as const;
  });
  return { loaded: Object.fromEntries(entries) };
}

/** The messages that insertions become, as the adapters count and place them. */
function placesOf({ countTokens, host: { names } }: SessionInside, inserts: readonly RestoredSkill[], start: number): Place[] {
  let at = start;
  return inserts.flatMap((skill): Place[] => {
    const { toolCallId, input, text, before } = skill;
    const entry: SkillTranscriptEntry = { tool: names.load, input, output: text, at };
    const call: SkillTurn = { role: 'assistant', entries: [], callIds: [toolCallId], tokens: countTokens(JSON.stringify(input)) };
    const result: SkillTurn = { role: 'tool', entries: [entry], tokens: countTokens(text) };
    at += lengthOfTurns([call, result]);
    return [
      { turn: call, before, inserted: skill },
      { turn: result, before },
    ];
  });
}

/**
 * Returns how long a conversation is, in tokens: the sum of the `tokens` of its turns.
 */
export function lengthOfTurns(turns: readonly SkillTurn[]): number {
  return turns.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
}

/** How many calls with these ids stand behind a place, each with its result. */
function countStanding(line: readonly Place[], index: number, ids: readonly string[]): number {
  let count = 0;
  while (line[index + 1 + 2 * count]?.turn.callIds?.some((id) => ids.includes(id)) === true) count += 1;
  return count;
}

function dueNames({ refresh, host: { catalog } }: SessionInside, state: SkillState, now: number): readonly string[] {
  return skillsDueForRefresh(state, refresh, now, catalog.listed).filter(
    (name) => refreshPolicyOf(name, catalog.listed, refresh)?.via !== 'on-load',
  );
}

function insertion(names: SkillToolNames, skill: RestoredText, before: number, place: string): RestoredSkill {
  return { ...skill, before, toolCallId: hostCallId(place, names.load, skill.input) };
}
