import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SkillDiagnostic } from '@repertoire/skills-core';

/**
 * What is wrong with the plugins among these folders, beside their skills. A folder is one if its
 * plugin.json is by the standard.
 */
export async function pluginFindings(folders: readonly string[]): Promise<SkillDiagnostic[]> {
  const findings: SkillDiagnostic[] = [];
  for (const folder of folders) {
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
