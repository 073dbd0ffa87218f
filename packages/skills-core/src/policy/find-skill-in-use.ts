import { findAlike, findSkill } from '../catalog/find-skill.ts';
import { listedVersion, listedVersions } from '../catalog/listed-versions.ts';
import { newestOfEach, type SkillCatalog } from '../catalog/skill-catalog.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { loadedSkill, type SkillState } from '../state/skill-state.ts';

/**
 * Finds a skill whose files are to be read: a loaded one, whoever loaded it, else one that the model may load. A person may have started a
 * skill that is closed to models; its files go with it. The version is the loaded one if it is listed, else the newest: a version that the
 * state claims and the host did not select is never read.
 *
 * @throws {SkillError} `skill-not-found`
 */
export function findSkillInUse(catalog: Pick<SkillCatalog, 'skills' | 'listed'>, state: SkillState, name: string): SkillMetadata {
  const found = findLoaded(catalog.listed, state, name) ?? findSkill(catalog, name);
  const version = loadedSkill(state, found.name)?.version;
  return listedVersion(catalog.listed, found.name, version) ?? found;
}

/** The newest version of a loaded skill, also by another spelling. Most calls need only one look through the list. */
function findLoaded(listed: readonly SkillMetadata[], state: SkillState, name: string): SkillMetadata | undefined {
  const exact = loadedSkill(state, name) === undefined ? undefined : listedVersions(listed, name)[0];
  if (exact !== undefined || Object.keys(state.loaded).length === 0) return exact;
  return findAlike(newestOfEach(listed.filter((skill) => loadedSkill(state, skill.name) !== undefined)), name);
}
