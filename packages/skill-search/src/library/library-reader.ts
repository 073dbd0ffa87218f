import type { SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import { readListing } from '@repertoire/skills-core/provider';

/** A provider's listing for search: every version of each name, because who searches may have an older one only. */
export interface LibraryListing {
  readonly skills: readonly SkillMetadata[];
  /** Whether the listing is complete. */
  readonly complete: boolean;
}

/** Lists all versions of the skills, newest first. Only this file calls a provider. */
export async function listLibrary(provider: SkillProvider, signal: AbortSignal | undefined): Promise<LibraryListing> {
  const { skills, complete } = await readListing(provider, { signal });
  return { skills, complete };
}

/** The body of a listed skill; `null` if it no longer exists. */
export async function readBody(provider: SkillProvider, skill: SkillMetadata, signal: AbortSignal | undefined): Promise<string | null> {
  const read = await provider.getSkill(skill.name, { version: skill.version, signal });
  return read === null ? null : read.body;
}

/** The version in results: `null` for none. */
export function versionOf(skill: SkillMetadata): string | null {
  return skill.version;
}
