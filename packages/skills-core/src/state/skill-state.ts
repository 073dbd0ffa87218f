/** What an agent has loaded: plain JSON, made only by `reduceSkillState`. */
export interface SkillState {
  /** Loaded skills by name. */
  readonly loaded: Readonly<Record<string, LoadedSkill>>;
}

/**
 * One loaded skill: which content of which skill of which source. It is a claim of the history.
 * Whether it opens anything is decided by what the source has now; bytes are compared with
 * `content` at every use.
 */
export interface LoadedSkill {
  /** Label of the source; empty for a skill without one. */
  readonly source: string;
  /** See `SkillOrigin.place`. @default unknown: read from a text, the revision decides */
  readonly place?: string | undefined;
  /** Version that was loaded; `null` for a skill without one. */
  readonly version: string | null;
  /** Digest of the content; `null` for an unpinned skill. @default unknown: read from a text */
  readonly content?: string | null | undefined;
  /** All of the above with level 1 and trust, as one hash; see `revisionOf`. */
  readonly revision: string;
  /** Hashes of the given texts: as loaded, restored, and cut (with a leading `~`). */
  readonly texts: readonly string[];
  /** Arguments that it was loaded with, if any. */
  readonly arguments?: string | undefined;
  /** Rank in load order, from 1. Skills loaded at one place share it. */
  readonly sequence: number;
  /** Whether one of the texts is in the context; `false` after a compaction. */
  readonly inContext: boolean;
  /** Only the first part of the text is in the context. @default false */
  readonly cut?: true | undefined;
  /** The skill came from an untrusted source. @default false */
  readonly untrusted?: true | undefined;
  /** Where in the conversation it was loaded, in tokens from its start, if the host counts them. */
  readonly at?: number | undefined;
  /** Another content was found. The skill opens nothing until it is loaded again. @default false */
  readonly changed?: true | undefined;
  /** Names the answer in the store that this load rests on. @default what is remembered */
  readonly approval?: string | undefined;
  /** How often the host loaded a new content by itself, see `contentChange`. @default 0 */
  readonly renewals?: number | undefined;
  /** Signature of the host that wrote the entry, see `skillStateSeal`. @default not signed */
  readonly seal?: string | undefined;
}

/** Something that happened to the skills of one agent. */
export type SkillEvent =
  | {
      readonly type: 'loaded';
      readonly name: string;
      /** @default '' */
      readonly source?: string | undefined;
      readonly place?: string | undefined;
      /** @default null */
      readonly version?: string | null | undefined;
      readonly content?: string | null | undefined;
      readonly revision: string;
      /**
       * Without them, the standing text counts for the new revision. No-op if nothing is loaded.
       */
      readonly texts?: readonly string[] | undefined;
      readonly arguments?: string | undefined;
      readonly untrusted?: true | undefined;
      /** Tokens of the conversation so far, if the host counts them. */
      readonly at?: number | undefined;
      /** Names the answer of a person, see {@link LoadedSkill.approval}. */
      readonly approval?: string | undefined;
      /** The host loaded it by itself, because its content changed. */
      readonly renewed?: true | undefined;
    }
  | {
      /** A text of a loaded skill was put into the context again. */
      readonly type: 'given';
      readonly name: string;
      /** Hash of the text, with a leading `~` if it was cut. */
      readonly text: string;
    }
  | { readonly type: 'unloaded'; readonly name: string }
  | {
      /** Another content was found, which closes the load of this revision. */
      readonly type: 'changed';
      readonly name: string;
      readonly revision: string;
    }
  | {
      /** Texts left the context, because messages were summarized or cut. */
      readonly type: 'compacted';
      /** Skills whose text left. @default all loaded ones */
      readonly names?: readonly string[] | undefined;
    };

/**
 * How many skills are active at once. `cumulative`: loading one leaves the others loaded. `single`:
 * loading one ends those before it, with their tools, model and allowed tools; of those that one
 * step loads, the last by name stays.
 */
export type SkillActivation = 'cumulative' | 'single';

/** The state of an agent that has not loaded anything. */
export const emptySkillState: SkillState = Object.freeze({ loaded: Object.freeze({}) });

/** No more active skills than `activation` allows, whatever order calls ended in. */
export function settledState(state: SkillState, activation: SkillActivation | undefined): SkillState {
  const last = activation === 'single' ? loadedSkillNames(state).at(-1) : undefined;
  const entry = last === undefined ? undefined : loadedSkill(state, last);
  if (last === undefined || entry === undefined || Object.keys(state.loaded).length === 1) return state;
  return { loaded: { [last]: entry } };
}

/**
 * Returns the entry of a loaded skill; `undefined` where it is not loaded. Safe for names such as
 * `constructor`.
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
 * Returns the names of the loaded skills, in the order in which they were loaded.
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
