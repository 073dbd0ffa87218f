import type { SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import { readListing } from '@repertoire/skills-core/provider';

/** What a provider lists, as search reads it: the newest version of each name. */
export interface LibraryListing {
  readonly skills: readonly SkillMetadata[];
  /** Whether the source says that this is all. */
  readonly complete: boolean;
}

/** Lists the newest version of each skill. This file is the only one that calls a provider. */
export async function listLibrary(provider: SkillProvider, signal: AbortSignal | undefined): Promise<LibraryListing> {
  const { skills: listed, complete } = await readListing(provider, { signal });
  // Versions of one name stand together, newest first.
  const skills = listed.filter(({ name }, index) => listed[index - 1]?.name !== name);
  return { skills, complete };
}

/** The body of a listed skill; `null` where it is gone by now. */
export async function readBody(provider: SkillProvider, skill: SkillMetadata, signal: AbortSignal | undefined): Promise<string | null> {
  const read = await provider.getSkill(skill.name, { version: skill.version, signal });
  return read === null ? null : read.body;
}

/** The version as answers give it: `null` for none. */
export function versionOf(skill: SkillMetadata): string | null {
  return skill.version;
}
