import type { SkillMetadata } from '@repertoire/skills-core';
import { fingerprint } from '@repertoire/skills-core/state';
import type { IndexedEntry } from '../index-data/skill-index.ts';
import { tagsOf } from '../text/skill-text.ts';

/** A skill in the index of a library. */
export interface LibraryEntry extends IndexedEntry {
  /** Level 1, as listed last. */
  skill: SkillMetadata;
  /** {@link skillMark} of what is indexed. */
  readonly mark: string;
  /** Fingerprint of the body that is indexed; `null` while only level 1 is. */
  readonly bodyMark: string | null;
  /** Whether the body has to be read, again or for the first time. */
  isDue: boolean;
}

/** Tells a change of what is known of a skill without reading it. */
export function skillMark(skill: SkillMetadata, digest: string | undefined): string {
  return fingerprint(
    JSON.stringify([skill.name, skill.version ?? null, skill.description, skill.whenToUse ?? '', tagsOf(skill), digest ?? null]),
  );
}

/** Tells a change of a body. */
export function bodyMarkOf(body: string): string {
  return fingerprint(body);
}
