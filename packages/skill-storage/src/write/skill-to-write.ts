import { SkillError, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider, refuseFilePaths } from '@repertoire/skills-core/internal';
import { checkSkillName } from '@repertoire/skills-core/provider';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import type { StorageSettings } from '../provider/storage-skill-provider-options.ts';

/**
 * Reads the files of a skill that is to be written.
 *
 * @throws {SkillError} `invalid-skill`, `invalid-path`, `limit-exceeded` for what a reader would
 *   not serve
 */
export async function skillToWrite(
  name: string,
  files: Readonly<Record<string, Uint8Array>>,
  { limits }: StorageSettings,
): Promise<{ readonly provider: SkillProvider; readonly metadata: SkillMetadata }> {
  const invalid = (why: string): SkillError =>
    new SkillError('invalid-skill', `Skill ${JSON.stringify(name)} cannot be written: ${why}.`, { skill: name });
  const [issue] = checkSkillName(name);
  if (issue !== undefined) throw invalid(`its name ${issue.message}`);
  refuseFilePaths(name, Object.keys(files));
  if (!Object.hasOwn(files, 'SKILL.md')) throw invalid('it has no SKILL.md');
  const large = Object.entries(files).find(([, { length }]) => length > limits.resourceBytes);
  if (large !== undefined)
    throw new SkillError(
      'limit-exceeded',
      `${JSON.stringify(large[0])} has ${large[1].length} bytes, more than limits.resourceBytes (${limits.resourceBytes}).`,
      { skill: name, path: large[0] },
    );
  const { definition, diagnostics } = skillFromFiles(files, { directoryName: name });
  const problem = diagnostics.find(({ severity }) => severity === 'error');
  if (definition === null || problem !== undefined) throw invalid(problem?.message ?? 'its SKILL.md cannot be read');
  if (definition.name !== name) throw invalid(`its SKILL.md has the name ${JSON.stringify(definition.name)}`);
  const provider = fixedSkillProvider([definition]);
  const [metadata] = (await provider.listSkills()).skills;
  if (metadata === undefined) throw invalid('its SKILL.md cannot be used');
  return { provider, metadata };
}
