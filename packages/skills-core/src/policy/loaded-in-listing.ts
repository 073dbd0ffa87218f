import { listedVersion } from '../catalog/listed-versions.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { revisionOf } from '../state/revision.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from '../state/skill-state.ts';

/** Loaded skills as the source lists them now. */
export interface LoadedInListing {
  /** Level 1 of those that are listed in the version and revision that was loaded, in the order of loading. */
  readonly found: readonly SkillMetadata[];
  /** Names of the others: gone, changed since, or claimed by a state that someone else wrote. */
  readonly missing: readonly string[];
}

/** Finds the loaded skills in a listing. What a state claims beyond it has no effect. */
export function loadedInListing(listed: readonly SkillMetadata[], state: SkillState): LoadedInListing {
  const found: SkillMetadata[] = [];
  const missing: string[] = [];
  for (const name of loadedSkillNames(state)) {
    const loaded = loadedSkill(state, name);
    const skill = listedVersion(listed, name, loaded?.version);
    if (skill !== undefined && revisionOf(skill) === loaded?.revision) found.push(skill);
    else missing.push(name);
  }
  return { found, missing };
}
