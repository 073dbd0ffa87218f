import { SkillError } from '@repertoire/skills-core';
import { isWindowsTrick, refuseFilePaths } from '@repertoire/skills-core/internal';
import { checkSkillName } from '@repertoire/skills-core/provider';
import type { FileSystemSettings } from '../file-system-skill-provider-options.ts';
import { isSkillResource } from '../visible-names.ts';
import { parseWhole } from '../parse-skill.ts';

/**
 * Refuses files that the folder would not give back as they were given.
 *
 * @throws {SkillError} `invalid-skill`, `invalid-path`
 */
export async function refuseSkillFiles(
  name: string,
  files: Readonly<Record<string, Uint8Array>>,
  { hiddenFiles }: FileSystemSettings,
): Promise<void> {
  const main = Object.hasOwn(files, 'SKILL.md') ? files['SKILL.md'] : undefined;
  if (main === undefined) throw invalid('it has no SKILL.md');
  const [issue] = checkSkillName(name);
  if (issue !== undefined || isWindowsTrick(name)) throw invalid(`its name ${issue?.message ?? 'is one that Windows keeps for itself'}`);
  const { metadata } = await parseWhole(main, { directoryName: name });
  if (metadata?.name !== name)
    throw invalid(metadata === null ? 'its SKILL.md cannot be read' : `its SKILL.md has the name ${JSON.stringify(metadata.name)}`);
  refuseFilePaths(name, Object.keys(files), (path) => path === 'SKILL.md' || isSkillResource(path, hiddenFiles));

  function invalid(why: string): SkillError {
    return new SkillError('invalid-skill', `Skill ${JSON.stringify(name)} cannot be written: ${why}.`, { skill: name });
  }
}
