import type { SkillMetadata } from '@repertoire/skills-core';
import { hashText } from '@repertoire/skills-core/internal';
import type { IndexedEntry } from '../index-data/skill-index.ts';
import { tagsOf } from '../text/skill-text.ts';

/** One version of a skill in the index of a library. Its `name` is {@link entryKey}. */
export interface LibraryEntry extends IndexedEntry {
  /** Level 1 of the last listing. */
  skill: SkillMetadata;
  /** Its place in the last listing, where newer versions of a name stand before older ones. */
  rank: number;
  /** {@link skillMark} of the indexed version. */
  readonly mark: string;
  /** {@link bodyMarkOf} what is indexed; `null` while only level 1 is. */
  readonly bodyMark: string | null;
  /** Whether the body must be read, again or for the first time. */
  isDue: boolean;
}

/** One key for each version of each skill: the name itself for a skill without a version. */
export function entryKey({ name, version }: Pick<SkillMetadata, 'name' | 'version'>): string {
  return version === null ? name : `${name}\0${version}`;
}

/** Detects changes of a skill without reading it. */
export function skillMark(skill: SkillMetadata, digest: string | undefined): string {
  return hashText(
    JSON.stringify([skill.name, skill.version ?? null, skill.description, skill.whenToUse ?? '', tagsOf(skill), digest ?? null]),
  );
}

/** Detects changes of a body, and of the references that are searched beside it. */
export function bodyMarkOf(body: string, references: string | null): string {
  return references === null ? hashText(body) : `${hashText(body)}:${hashText(references)}`;
}

/** Whether references were read beside the body. */
export function coversReferences(bodyMark: string | null): boolean {
  return bodyMark?.includes(':') === true;
}
