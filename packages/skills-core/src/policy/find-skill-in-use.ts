import { findAlike, findSkill } from '../catalog/find-skill.ts';
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
  const loaded = newestOfEach(catalog.listed).filter((skill) => loadedSkill(state, skill.name) !== undefined);
  const found = loaded.find((skill) => skill.name === name) ?? findAlike(loaded, name) ?? findSkill(catalog, name);
  const version = loadedSkill(state, found.name)?.version;
  return catalog.listed.find((skill) => skill.name === found.name && skill.version === version) ?? found;
}
