import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { isInside } from '../source/is-inside.ts';
import { isInFolder, type FoundSkill } from '../source/skills-of-source.ts';

/** What is wrong with the plugins in these folders, and around skills below them. */
export async function pluginFindings(folders: readonly string[], skills: readonly FoundSkill[]): Promise<SkillDiagnostic[]> {
  const findings: SkillDiagnostic[] = [];
  for (const folder of new Set([...folders, ...foldersAround(folders, skills)])) {
    const text = await readFile(path.join(folder, 'plugin.json'), 'utf8').catch(() => '');
    if (!text.includes('agent-plugins.org/')) continue;
    // Most folders are none, and then nothing of it is imported.
    const [{ checkPlugin }, { pluginFolders }] = await Promise.all([import('./check-plugin.ts'), import('@repertoire/agent-plugins/node')]);
    for (const { files } of pluginFolders([folder])) {
      const { diagnostics } = await checkPlugin(files);
      for (const diagnostic of diagnostics) {
        if (diagnostic.code.startsWith('plugin-') && diagnostic.code !== 'plugin-skill-invalid')
          findings.push({ ...diagnostic, path: path.join(folder, diagnostic.path ?? '') });
      }
    }
  }
  return findings;
}

/** A plugin has its skills right below `skills`. Nothing outside of what a person named is read. */
function foldersAround(folders: readonly string[], skills: readonly FoundSkill[]): string[] {
  const around = new Set(skills.filter(isInFolder).map(({ folder }) => path.dirname(folder)));
  return [...around].flatMap((above) => {
    const plugin = path.dirname(above);
    return path.basename(above) === 'skills' && folders.some((named) => isInside(named, plugin)) ? [plugin] : [];
  });
}
