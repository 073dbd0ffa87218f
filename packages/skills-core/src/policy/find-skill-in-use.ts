import { findAlike, findSkill } from '../catalog/find-skill.ts';
import { newestOfEach, type SkillCatalog } from '../catalog/skill-catalog.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { loadedSkill, type SkillState } from '../state/skill-state.ts';
import { skillInForce } from './skill-in-force.ts';

/**
 * Finds a skill whose files are to be read: a loaded one, whoever loaded it, else one that the model may load. A person may have started a skill that is closed to
 * models; its files go with it.
 *
 * @throws {SkillError} `skill-not-found`
 */
export function findSkillInUse(catalog: Pick<SkillCatalog, 'skills' | 'listed'>, state: SkillState, name: string): SkillMetadata {
  const loaded = newestOfEach(catalog.listed).filter((skill) => loadedSkill(state, skill.name) !== undefined);
  const found = loaded.find((skill) => skill.name === name) ?? findAlike(loaded, name) ?? findSkill(catalog, name);
  return skillInForce(catalog.listed, state, found.name) ?? found;
}
