import { SkillError } from '@repertoire/skills-core';
import { isWindowsTrick } from '@repertoire/skills-core/internal';
import { checkSkillName, isResourcePath } from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import type { FileSystemSettings } from '../file-system-skill-provider-options.ts';
import { isSkillResource } from '../is-skill-resource.ts';

/**
 * Refuses files that the folder would not give back as they were given.
 *
 * @throws {SkillError} `invalid-skill`, `invalid-path`
 */
export function refuseSkillFiles(name: string, files: Readonly<Record<string, Uint8Array>>, { hiddenFiles }: FileSystemSettings): void {
  const main = Object.hasOwn(files, 'SKILL.md') ? files['SKILL.md'] : undefined;
  if (main === undefined) throw invalid('it has no SKILL.md');
  const [issue] = checkSkillName(name);
  if (issue !== undefined || isWindowsTrick(name)) throw invalid(`its name ${issue?.message ?? 'is one that Windows keeps for itself'}`);
  const { metadata } = parseSkillMd(main, { directoryName: name });
  if (metadata?.name !== name)
    throw invalid(metadata === null ? 'its SKILL.md cannot be read' : `its SKILL.md has the name ${JSON.stringify(metadata.name)}`);
  const seen = new Map<string, string>();
  for (const path of Object.keys(files)) {
    const key = path.toLowerCase();
    const other = seen.get(key);
    seen.set(key, path);
    const isKept = path === 'SKILL.md' || isSkillResource(path, hiddenFiles);
    if (isResourcePath(path) && !isWindowsTrick(path) && isKept && other === undefined) continue;
    const why =
      other === undefined ? 'a folder would not serve it as a file of the skill' : `it differs from ${JSON.stringify(other)} by case only`;
    throw new SkillError('invalid-path', `${JSON.stringify(path)} cannot be written: ${why}. Take another path.`, { skill: name, path });
  }

  function invalid(why: string): SkillError {
    return new SkillError('invalid-skill', `Skill ${JSON.stringify(name)} cannot be written: ${why}.`, { skill: name });
  }
}
