import type { SkillMetadata } from '@repertoire/skills-core';

/** A skill as an index or a card names it: level 1, and where the rest is. */
export interface SkillEntry {
  readonly name: string;
  readonly version: string | null;
  /** Level 1 as listed, without an origin. Deep-frozen. */
  readonly metadata: SkillMetadata;
  /** Whether `metadata` is all of level 1, or only what an index has a place for. */
  readonly complete: boolean;
  /** URL of the skill's folder, which people read as its origin. */
  readonly folder: string;
  readonly content: EntryContent;
}

/** Where the files of a skill are. */
export type EntryContent = ArtifactContent | FilesContent;

/** One artifact that holds the whole skill. */
export interface ArtifactContent {
  readonly kind: 'skill-md' | 'archive';
  readonly url: string;
  /** SHA-256 of its bytes in lower-case hex. */
  readonly digest: string;
}

/** Files one by one. */
export interface FilesContent {
  readonly kind: 'files';
  /** By their paths, `SKILL.md` among them. */
  readonly files: ReadonlyMap<string, { readonly url: string; readonly digest: string | undefined }>;
}

/** What identifies an entry and everything that is read of it. */
export function entryKey({ name, version }: Pick<SkillEntry, 'name' | 'version'>): string {
  return JSON.stringify([name, version]);
}
