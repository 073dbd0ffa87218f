import { isJsonObject } from '@repertoire/skills-core/internal';
import { BaseMessage, coerceMessageLikeToMessage, type BaseMessageLike } from '@langchain/core/messages';
import type { SkillEvent, SkillSession, SkillState } from '@repertoire/skills-core';
import { parseSkillState } from '@repertoire/skills-core/adapter';
import type { LoadedSkills, LoadedTools, SkillsChannels, SkillsGraphState } from './skills-state.ts';

/** An update of the skill channels. */
export type SkillsStateUpdate = { -readonly [Key in keyof SkillsGraphState]?: SkillsGraphState[Key] };

/** The read part of a graph's state. Anybody may have written it, so its types are not trusted. */
export interface GraphState {
  readonly messages: readonly BaseMessage[];
  /** What the state claims to be loaded. Invalid entries are left out. */
  readonly claimed: SkillState;
  readonly loadedTools: LoadedTools;
  /** The kept session, unchecked. */
  readonly kept: unknown;
  /** Id of the run, for tools of skills. */
  readonly run: string | undefined;
}

/** Reads a state whose type nobody checked. */
export function readGraphState(state: unknown, channels: SkillsChannels): GraphState {
  const fields: Readonly<Record<string, unknown>> = isJsonObject(state) ? state : {};
  const loaded = fields[channels.loaded_skills];
  const tools = fields[channels.loaded_tools];
  const run = fields[channels['_skill_run']];
  return {
    messages: Array.isArray(fields['messages']) ? fields['messages'].flatMap(messageOf) : [],
    claimed: parseSkillState({ loaded }),
    loadedTools: isJsonObject(tools) ? Object.fromEntries(Object.entries(tools).flatMap(toolsEntry)) : {},
    kept: fields[channels['_skill_session']] ?? undefined,
    run: typeof run === 'string' && run !== '' ? run : undefined,
  };
}

/** The update, with the real names of the channels. */
export function updateOf(channels: SkillsChannels, update: SkillsStateUpdate): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(update).map(([channel, value]) => [channels[channel as keyof SkillsGraphState], value]));
}

/** The state as it will be after this update of a node, for the rest of that node. */
export function updatedState(state: object, update: object): object {
  const now: Record<string, unknown> = { ...state };
  for (const [channel, value] of Object.entries(update)) {
    const before = now[channel];
    if (channel === 'messages') now[channel] = [...(Array.isArray(before) ? before : []), ...(value as readonly unknown[])];
    else now[channel] = isJsonObject(value) ? { ...(isJsonObject(before) ? before : {}), ...value } : value;
  }
  return now;
}

/** Events as an update of what changed, so that parallel updates do not conflict. */
export function loadedSkillsUpdate(session: SkillSession, before: SkillState, events: readonly SkillEvent[]): LoadedSkills {
  const after = session.apply(before, events).loaded;
  const names = new Set([...Object.keys(before.loaded), ...Object.keys(after)]);
  return Object.fromEntries([...names].flatMap((name) => (before.loaded[name] === after[name] ? [] : [[name, after[name] ?? null]])));
}

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
