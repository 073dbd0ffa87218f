import { SkillError } from '@repertoire/skills-core';

/**
 * The error of a path that a bridge does not serve: it does not exist, or nothing may tell that it
 * does.
 */
export function missingPath(path: string): SkillError {
  return new SkillError('resource-not-found', `There is no ${JSON.stringify(path)} among the skills.`, { path });
}

/** The error of a skill that a bridge does not serve. */
export function missingSkill(name: string): SkillError {
  return new SkillError('skill-not-found', `There is no skill ${JSON.stringify(name)} here.`, { skill: name });
}
