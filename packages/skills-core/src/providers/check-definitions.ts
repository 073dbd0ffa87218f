import { copyData } from '../contract/copy-data.ts';
import { resourceProblems, type SkillDefinition } from '../contract/define-skill.ts';
import { isJsonObject } from '../contract/json-object.ts';
import { compareSkills } from '../contract/order.ts';
import { SkillError } from '../errors/skill-error.ts';
import { metadataShapes } from '../format/json/metadata-shapes.ts';

/** A definition that says its version, or that it has none. */
export type VersionedDefinition = SkillDefinition & { readonly version: string | null };

/**
 * Programs without types give these too, and a restriction of another shape would restrict nothing.
 */
const shapes = { ...metadataShapes, resources: isJsonObject };

/**
 * Refuses what cannot be skills of one source, and returns the rest in the order of the contract.
 *
 * @throws {SkillError} `duplicate-skill`, `invalid-skill`
 */
export function checkDefinitions(skills: readonly SkillDefinition[], label: string): VersionedDefinition[] {
  const sorted = skills.map((definition) => ({ ...definition, version: definition.version ?? null })).sort(compareSkills);
  for (const [index, definition] of sorted.entries()) {
    const { name, description, version, resources } = definition;
    if (typeof name !== 'string' || name.trim() === '' || typeof description !== 'string' || description.trim() === '') {
      throw new SkillError('invalid-skill', `A skill of "${label}" has no name or no description: ${JSON.stringify(name)}. Give it both.`, {
        source: label,
      });
    }
    const misshapen = Object.entries(shapes).find(([field, fits]) => {
      const value = definition[field as keyof typeof shapes];
      return value !== undefined && !fits(value);
    })?.[0];
    if (misshapen !== undefined) {
      throw new SkillError('invalid-skill', `Skill ${JSON.stringify(name)} is not valid: ${misshapen} has another shape than it needs.`, {
        skill: name,
        source: label,
      });
    }
    const previous = sorted[index - 1];
    if (previous?.name === name && previous.version === version) {
      throw new SkillError(
        'duplicate-skill',
        `"${label}" has two skills ${JSON.stringify(name)}${version === null ? '' : ` of version ${version}`}. Rename one, or give it another version.`,
        { skill: name, source: label },
      );
    }
    const [wrong] = resourceProblems(resources);
    if (wrong !== undefined) {
      const { path, problem } = wrong;
      throw new SkillError('invalid-skill', `Skill ${JSON.stringify(name)} is not valid: ${problem}.`, {
        skill: name,
        path,
        source: label,
      });
    }
  }
  return sorted;
}

/**
 * A copy of the fields of a skill, which are data.
 *
 * @throws {SkillError} `invalid-skill` for what cannot be copied
 */
export function copyFields<Fields extends { readonly name: string }>(fields: Fields, label: string): Fields {
  try {
    return copyData(fields);
  } catch (cause) {
    throw new SkillError(
      'invalid-skill',
      `Skill ${JSON.stringify(fields.name)} holds something that is no data, such as a function. Only its body and files may be functions.`,
      { skill: fields.name, source: label, cause },
    );
  }
}
