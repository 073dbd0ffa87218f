/**
 * What an agent has loaded: plain JSON, made only by {@link reduceSkillState} from the events of its history. Nothing else in the library remembers it.
 */
export interface SkillState {
  /** Loaded skills by name. */
  readonly loaded: Readonly<Record<string, LoadedSkill>>;
}

/** One loaded skill. It is a claim of the history: whether it opens anything is decided by what the source lists now. */
export interface LoadedSkill {
  /** Version that was loaded; `null` for a skill without one. */
  readonly version: string | null;
  /** Arguments that it was loaded with, if any. */
  readonly arguments?: string | undefined;
  /** Fingerprint of level 1 and of the source at the time of the load, see `revisionOf`. A skill of another revision is another skill. */
  readonly revision: string;
  /** Fingerprint of the text that the model got. It shows whether the text changed; it does not protect against tampering. */
  readonly fingerprint: string;
  /** Rank in the order of loading, from 1. Skills that were loaded at the same place share it; then names decide. */
  readonly sequence: number;
  /** Whether that text still stands in the model's context. `false` after a compaction, until the skill is put back. */
  readonly inContext: boolean;
  /** Only the first part of the text stands in the context, because the rest did not fit when it was put back. @default false */
  readonly cut?: true | undefined;
  /** The skill came from an untrusted source. @default false */
  readonly untrusted?: true | undefined;
  /** Where in the conversation it was loaded, in tokens from its start, if the host counts them. */
  readonly at?: number | undefined;
  /** Signature of the host that wrote the entry, see `skillStateSeal`. @default not signed */
  readonly seal?: string | undefined;
}

/** Something that happened to the skills of one agent. */
export type SkillEvent =
  | {
      readonly type: 'loaded';
      readonly name: string;
      /** @default null */
      readonly version?: string | null | undefined;
      readonly arguments?: string | undefined;
      readonly revision: string;
      readonly fingerprint: string;
      readonly cut?: true | undefined;
      readonly untrusted?: true | undefined;
      /** Tokens of the conversation so far, if the host counts them. */
      readonly at?: number | undefined;
    }
  | { readonly type: 'unloaded'; readonly name: string }
  | {
      /** Texts left the context, because messages were summarized or cut. */
      readonly type: 'compacted';
      /** Skills whose text left. @default all loaded ones */
      readonly names?: readonly string[] | undefined;
    };

/**
 * How many skills are active at once. `cumulative`: loading one leaves the others loaded. `single`: loading one ends those before it, with
 * their tools, model and allowed tools; of those that one step loads, the last by name stays.
 */
export type SkillActivation = 'cumulative' | 'single';

/** The state of an agent that has not loaded anything. */
export const emptySkillState: SkillState = Object.freeze({ loaded: Object.freeze({}) });

/**
 * The fold: the state after one more event. Pure; returns the same object if nothing changes.
 *
 * @example
 * ```ts
 * import { emptySkillState } from '@repertoire/skills-core';
 * import { reduceSkillState } from '@repertoire/skills-core/adapter';
 *
 * const loaded = reduceSkillState(emptySkillState, { type: 'loaded', name: 'billing', revision: '1f', fingerprint: '2e' });
 * const after = reduceSkillState(loaded, { type: 'unloaded', name: 'billing' }); // nothing is loaded
 * ```
 */
export function reduceSkillState(state: SkillState, event: SkillEvent, activation: SkillActivation = 'cumulative'): SkillState {
  switch (event.type) {
    case 'loaded': {
      const previous = loadedSkill(state, event.name);
      const entry: LoadedSkill = {
        version: event.version ?? null,
        ...(event.arguments !== undefined && { arguments: event.arguments }),
        revision: event.revision,
        fingerprint: event.fingerprint,
        sequence: sequenceOf(state, event),
        inContext: true,
        ...(event.cut === true && { cut: true }),
        ...(event.untrusted === true && { untrusted: true }),
        ...(event.at !== undefined && { at: event.at }),
      };
      // Loading an unchanged skill again (a replay, a second parallel call) is a no-op.
      if (previous?.inContext && sameLoad(previous, entry)) return state;
      return settledState({ loaded: { ...state.loaded, [event.name]: entry } }, activation);
    }
    case 'unloaded': {
      if (loadedSkill(state, event.name) === undefined) return state;
      return { loaded: Object.fromEntries(Object.entries(state.loaded).filter(([name]) => name !== event.name)) };
    }
    case 'compacted': {
      const gone = new Set(event.names ?? Object.keys(state.loaded));
      if (!Object.entries(state.loaded).some(([name, skill]) => gone.has(name) && skill.inContext)) return state;
      return {
        loaded: Object.fromEntries(
          Object.entries(state.loaded).map(([name, skill]) => [name, gone.has(name) ? { ...skill, inContext: false } : skill]),
        ),
      };
    }
  }
}

/**
 * The state with no more active skills than `activation` lets be. Calls of one step end in any order, and a store may merge what each of them
 * wrote; this makes the same of it.
 */
export function settledState(state: SkillState, activation: SkillActivation | undefined): SkillState {
  const last = activation === 'single' ? loadedSkillNames(state).at(-1) : undefined;
  const entry = last === undefined ? undefined : loadedSkill(state, last);
  if (last === undefined || entry === undefined || Object.keys(state.loaded).length === 1) return state;
  return { loaded: { [last]: entry } };
}

/**
 * The entry of a loaded skill; `undefined` where it is not loaded. Safe for names such as `constructor`.
 *
 * @example
 * ```ts
 * import { emptySkillState } from '@repertoire/skills-core';
 * import { loadedSkill } from '@repertoire/skills-core/adapter';
 *
 * export const none = loadedSkill(emptySkillState, 'constructor'); // undefined
 * ```
 */
export function loadedSkill(state: SkillState, name: string): LoadedSkill | undefined {
  return Object.hasOwn(state.loaded, name) ? state.loaded[name] : undefined;
}

/**
 * Names of the loaded skills, in the order in which they were loaded.
 *
 * @example
 * ```ts
 * import type { SkillState } from '@repertoire/skills-core';
 * import { loadedSkillNames } from '@repertoire/skills-core/adapter';
 *
 * export const title = (state: SkillState): string => `Loaded: ${loadedSkillNames(state).join(', ')}`;
 * ```
 */
export function loadedSkillNames(state: SkillState): string[] {
  return Object.entries(state.loaded)
    .sort(([nameA, a], [nameB, b]) => a.sequence - b.sequence || (nameA < nameB ? -1 : 1))
    .map(([name]) => name);
}

function sameLoad(a: LoadedSkill, b: LoadedSkill): boolean {
  return (
    a.fingerprint === b.fingerprint &&
    a.revision === b.revision &&
    a.version === b.version &&
    a.arguments === b.arguments &&
    a.cut === b.cut &&
    a.at === b.at
  );
}

/** What is loaded at one place, by calls of one step, has one rank: else it would depend on which of them ends first. */
function sequenceOf(state: SkillState, { name, at }: { readonly name: string; readonly at?: number | undefined }): number {
  const last = Math.max(0, ...Object.values(state.loaded).map((skill) => skill.sequence));
  const others = Object.entries(state.loaded).filter(([other, skill]) => other !== name && skill.sequence === last);
  return at !== undefined && others.some(([, skill]) => skill.at === at) ? last : last + 1;
}
