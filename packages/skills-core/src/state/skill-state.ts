/**
 * What an agent has loaded: plain JSON, made only by {@link reduceSkillState} from the events of its history. Nothing else in the library remembers it.
 */
export interface SkillState {
  /** Loaded skills by name. */
  readonly loaded: Readonly<Record<string, LoadedSkill>>;
}

/** One loaded skill. */
export interface LoadedSkill {
  /** Version that was loaded, where it has one. */
  readonly version?: string | undefined;
  /** Arguments that it was loaded with, where it was. */
  readonly arguments?: string | undefined;
  /** Fingerprint of the text that the model got. It tells whether a skill changed since; it protects nothing. */
  readonly digest: string;
  /** Rank in the order of loading, from 1. Skills that were loaded at once may share it, and do where the host counts tokens (same `at`); then names decide. */
  readonly sequence: number;
  /** Whether that text still stands in the model's context. `false` after a compaction, until the skill is attached again. */
  readonly inContext: boolean;
  /** Where in the conversation it was loaded, in tokens from its start, where the host counts them. */
  readonly at?: number | undefined;
}

/** Something that happened to the skills of one agent. */
export type SkillEvent =
  | {
      readonly type: 'loaded';
      readonly name: string;
      readonly version?: string | undefined;
      readonly arguments?: string | undefined;
      readonly digest: string;
      /** Tokens of the conversation so far, where the host counts them. */
      readonly at?: number | undefined;
    }
  | { readonly type: 'unloaded'; readonly name: string }
  | {
      /** Texts left the context, by summarizing or cutting messages. */
      readonly type: 'compacted';
      /** Skills whose text left. @default all loaded ones */
      readonly names?: readonly string[] | undefined;
    };

/** The state of an agent that has not loaded anything. */
export const emptySkillState: SkillState = Object.freeze({ loaded: Object.freeze({}) });

/**
 * The fold: the state after one more event. Pure; returns the very same object where nothing changes.
 *
 * @example
 * ```ts
 * import { emptySkillState, reduceSkillState } from '@repertoire/skills-core';
 *
 * const loaded = reduceSkillState(emptySkillState, { type: 'loaded', name: 'billing', digest: '1f' });
 * const after = reduceSkillState(loaded, { type: 'unloaded', name: 'billing' }); // nothing is loaded
 * ```
 */
export function reduceSkillState(state: SkillState, event: SkillEvent): SkillState {
  switch (event.type) {
    case 'loaded': {
      const previous = loadedSkill(state, event.name);
      const entry: LoadedSkill = {
        ...(event.version !== undefined && { version: event.version }),
        ...(event.arguments !== undefined && { arguments: event.arguments }),
        digest: event.digest,
        sequence: sequenceOf(state, event),
        inContext: true,
        ...(event.at !== undefined && { at: event.at }),
      };
      // Loading again what stands there unchanged (a replay, a second parallel call) is not news.
      if (previous?.inContext && sameLoad(previous, entry)) return state;
      return { loaded: { ...state.loaded, [event.name]: entry } };
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

/** The entry of a loaded skill; `undefined` where it is not loaded. Safe for names such as `constructor`. */
export function loadedSkill(state: SkillState, name: string): LoadedSkill | undefined {
  return Object.hasOwn(state.loaded, name) ? state.loaded[name] : undefined;
}

/** Names of the loaded skills, in the order in which they were loaded. */
export function loadedSkillNames(state: SkillState): string[] {
  return Object.entries(state.loaded)
    .sort(([nameA, a], [nameB, b]) => a.sequence - b.sequence || (nameA < nameB ? -1 : 1))
    .map(([name]) => name);
}

function sameLoad(a: LoadedSkill, b: LoadedSkill): boolean {
  return a.digest === b.digest && a.version === b.version && a.arguments === b.arguments && a.at === b.at;
}

/** What is loaded at one place, by calls of one step, has one rank: else it would depend on which of them ends first. */
function sequenceOf(state: SkillState, { name, at }: { readonly name: string; readonly at?: number | undefined }): number {
  const last = Math.max(0, ...Object.values(state.loaded).map((skill) => skill.sequence));
  const others = Object.entries(state.loaded).filter(([other, skill]) => other !== name && skill.sequence === last);
  return at !== undefined && others.some(([, skill]) => skill.at === at) ? last : last + 1;
}
