import type { SkillDefinition } from '../contract/define-skill.ts';
import { isJsonObject } from '../contract/json-object.ts';
import { SkillError } from '../errors/skill-error.ts';
import { metadataShapes } from '../format/json/metadata-shapes.ts';

const shapes = { ...metadataShapes, resources: isJsonObject };

/**
 * Refuses a skill in code of which a field is not what its type says: programs without types give
 * these too, and a restriction of another shape would restrict nothing.
 *
 * @throws {SkillError} `invalid-skill`
 */
export function checkShapes(skill: SkillDefinition): void {
  for (const [field, fits] of Object.entries(shapes)) {
    const value = skill[field as keyof typeof shapes];
    if (value === undefined || fits(value)) continue;
    throw new SkillError('invalid-skill', `Skill ${JSON.stringify(skill.name)} is not valid: ${field} has another shape than it needs.`, {
      skill: skill.name,
    });
  }
}
