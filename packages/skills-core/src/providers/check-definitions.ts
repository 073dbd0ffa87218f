import { copyData } from '../contract/copy-data.ts';
import { resourceProblems, type SkillDefinition } from '../contract/define-skill.ts';
import { compareSkills } from '../contract/order.ts';
import { SkillError } from '../errors/skill-error.ts';

/** A definition that says its version, or that it has none. */
export type VersionedDefinition = SkillDefinition & { readonly version: string | null };

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
