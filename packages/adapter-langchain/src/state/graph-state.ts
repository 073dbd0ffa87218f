import { BaseMessage, coerceMessageLikeToMessage, type BaseMessageLike } from '@langchain/core/messages';
import type { SkillEvent, SkillSession, SkillState } from '@repertoire/skills-core';
import { parseSkillState } from '@repertoire/skills-core/state';
import type { LoadedSkills, LoadedTools, SkillsChannels, SkillsGraphState } from './skills-state.ts';

/** An update of a graph's channels of skills. */
export type SkillsStateUpdate = { -readonly [Key in keyof SkillsGraphState]?: SkillsGraphState[Key] };

/**
 * A graph's state as far as this package reads it. Anybody may have written it (a graph's input, `updateState`, a checkpoint), so nothing in
 * it is taken for what its type says.
 */
export interface GraphState {
  readonly messages: readonly BaseMessage[];
  /** What the state claims to be loaded; entries that are no loaded skills are left out. */
  readonly claimed: SkillState;
  readonly loadedTools: LoadedTools;
  /** What was kept of the session, as it was written. */
  readonly kept: unknown;
  /** The run of an agent that skills bring tools to. */
  readonly run: string | undefined;
}

/** Reads a state that nobody typed for us. */
export function readGraphState(state: unknown, channels: SkillsChannels): GraphState {
  const fields: Readonly<Record<string, unknown>> = isRecord(state) ? state : {};
  const loaded = fields[channels.loaded_skills];
  const tools = fields[channels.loaded_tools];
  const run = fields[channels['_skill_run']];
  return {
    messages: Array.isArray(fields['messages']) ? fields['messages'].flatMap(messageOf) : [],
    claimed: parseSkillState({ loaded }),
    loadedTools: isRecord(tools) ? Object.fromEntries(Object.entries(tools).flatMap(toolsEntry)) : {},
    kept: fields[channels['_skill_session']] ?? undefined,
    run: typeof run === 'string' && run !== '' ? run : undefined,
  };
}

/** Update of the channels by their real names. */
export function updateOf(channels: SkillsChannels, update: SkillsStateUpdate): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(update).map(([channel, value]) => [channels[channel as keyof SkillsGraphState], value]));
}

/** The update of the channel that these events are. Only what changed is in it, so that updates of parallel calls do not touch each other. */
export function loadedSkillsUpdate(session: SkillSession, before: SkillState, events: readonly SkillEvent[]): LoadedSkills {
  const after = session.apply(before, events).loaded;
  const names = new Set([...Object.keys(before.loaded), ...Object.keys(after)]);
  return Object.fromEntries([...names].flatMap((name) => (before.loaded[name] === after[name] ? [] : [[name, after[name] ?? null]])));
}

/** A message as it is, or as LangChain reads it; nothing if it is none. */
function messageOf(value: unknown): BaseMessage[] {
  if (BaseMessage.isInstance(value)) return [value];
  try {
    return [coerceMessageLikeToMessage(value as BaseMessageLike)];
  } catch {
    return [];
  }
}

function toolsEntry([skill, names]: [string, unknown]): [string, readonly string[]][] {
  return Array.isArray(names) ? [[skill, names.filter((name): name is string => typeof name === 'string')]] : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
