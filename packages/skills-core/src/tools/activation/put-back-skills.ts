import { skillsDueForRefresh } from '../../state/refresh.ts';
import { hostCallId } from '../../state/host-call.ts';
import { emptySkillState, reduceSkillState, type SkillEvent, type SkillState } from '../../state/skill-state.ts';
import { alignState } from '../../state/state-in-context.ts';
import { eventOf, type SkillTranscriptEntry } from '../../state/transcript.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import { reattachSkills, type ReattachedSkill, type ReattachOptions } from './reattach-skills.ts';

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

/** Options of `session.putBack`. */
export interface PutBackOptions extends Omit<ReattachOptions, 'names'> {
  /** What the conversation has loaded, if a server keeps it. @default derived from the turns */
  readonly kept?: SkillState | undefined;
  /** Whether to put back what was cut. @default true; what is due is repeated in any case */
  readonly lost?: boolean | undefined;
}

/** A skill's text to insert into the messages: a call of the load tool and its result. */
export interface PutBackSkill extends ReattachedSkill {
  /** Index of the message that it stands before; the number of messages for the end. */
  readonly before: number;
  /** Id of the call. It is the same at the same place in every request. */
  readonly toolCallId: string;
}

/**
 * Decides what to insert into a conversation before the next model call: the instructions of loaded skills whose text was cut from it, and
 * those that the refresh policy has due. It is a view for one model call: the same messages give the same insertions at the same places, so
 * the prompt only grows.
 *
 * What was cut goes before the first message of the model, where it stays while the conversation grows. What is due goes where it became due,
 * never between a tool call and its result.
 */
export async function putBackSkills(
  environment: ToolEnvironment,
  turns: readonly SkillTurn[],
  { kept, lost: putsBackLost = true, ...room }: PutBackOptions,
): Promise<readonly PutBackSkill[]> {
  const shown = turns.flatMap(({ entries }) => entries).reduce((state, entry) => fold(environment, state, entry), emptySkillState);
  const now = kept === undefined ? shown : alignState(kept, shown);
  const lost = await reattachSkills(environment, now, putsBackLost ? room : { ...room, names: [] });
  const first = turns.findIndex(({ role }) => role === 'assistant');
  const place = first === -1 ? turns.length : first;
  const back = lost.skills.map((skill) => insertion(environment, skill, place, 'lost'));
  if (!refreshes(environment)) return back;
  return [...back, ...(await due(environment, turns, back, { kept: withLost(now, lost.events, kept), ...room }))];
}

/** Whether anything is ever repeated. */
export function refreshes({ refresh, catalog }: Pick<ToolEnvironment, 'refresh' | 'catalog'>): boolean {
  return refresh !== undefined || catalog.listed.some((skill) => skill.refreshPolicy !== undefined && skill.origin?.trusted === true);
}

async function due(
  environment: ToolEnvironment,
  turns: readonly SkillTurn[],
  lost: readonly PutBackSkill[],
  { kept, ...room }: PutBackOptions,
): Promise<readonly PutBackSkill[]> {
  const found: PutBackSkill[] = [];
  let shown = emptySkillState;
  let tokens = 0;
  for (const [index, turn] of turns.entries()) {
    // What was put back stands in the context from its place on, and is due again by that.
    for (const { input, text } of lost.filter(({ before }) => before === index)) {
      shown = fold(environment, shown, { tool: environment.names.load, input, output: text, at: tokens });
      tokens += environment.countTokens(text);
    }
    for (const entry of turn.entries) shown = fold(environment, shown, entry);
    tokens += turn.tokens ?? 0;
    const next = turns[index + 1];
    if (turn.role === 'assistant' || turn.role === 'system' || next?.role === 'tool') continue;
    const now = kept === undefined ? shown : alignState(kept, shown);
    const names = dueNames(environment, now, tokens);
    if (names.length === 0) continue;
    const { skills, events } = await reattachSkills(environment, now, { ...room, names });
    // A source that fails now is not asked again at each message; what stands in the messages stays.
    if (skills.length === 0) break;
    // Counted with what stands before it by then, so that it is the same place when the framework has carried the insertions on.
    const inserted = [...lost, ...found].filter(({ before }) => before <= index);
    const place = `due-${index + 2 * inserted.length}`;
    const inserts = skills.map((skill) => insertion(environment, skill, index + 1, place));
    // An earlier step of the same call did it already, and the framework carries its messages on.
    if (inserts.some(({ toolCallId }) => next?.callIds?.includes(toolCallId))) continue;
    found.push(...inserts);
    for (const event of events)
      shown = reduceSkillState(shown, event.type === 'loaded' ? { ...event, at: tokens } : event, environment.activation);
    for (const { text } of skills) tokens += environment.countTokens(text);
  }
  return found;
}

function dueNames({ refresh, catalog }: ToolEnvironment, state: SkillState, now: number): readonly string[] {
  return skillsDueForRefresh(state, refresh, now, catalog.listed).filter((name) => policyVia({ refresh, catalog }, name) !== 'on-load');
}

function policyVia({ refresh, catalog }: Pick<ToolEnvironment, 'refresh' | 'catalog'>, name: string): string | undefined {
  const own = catalog.listed.find((skill) => skill.name === name && skill.origin?.trusted === true)?.refreshPolicy;
  return (own ?? refresh)?.via;
}

/** What was put back a moment ago stands in the context. */
function withLost(now: SkillState, events: readonly SkillEvent[], kept: SkillState | undefined): SkillState | undefined {
  return kept === undefined ? undefined : events.reduce((state, event) => reduceSkillState(state, event), now);
}

function fold(environment: ToolEnvironment, state: SkillState, entry: SkillTranscriptEntry): SkillState {
  const event = eventOf(entry, environment.names);
  return event === null ? state : reduceSkillState(state, event, environment.activation);
}

function insertion({ names }: ToolEnvironment, skill: ReattachedSkill, before: number, place: string): PutBackSkill {
  return { ...skill, before, toolCallId: hostCallId(place, names.load, skill.input) };
}
