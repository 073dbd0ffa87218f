import { isInside } from '@repertoire/skill-fs/internal';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { LintSubject } from '../lint/judge-findings.ts';
import { invalidPlugin, pluginAdvice } from '../lint/rules/plugin-rules.ts';
import type { FolderTree } from '../source/folder-tree.ts';
import { isInFolder, type FoundSkill } from '../source/skills-of-source.ts';

/** What is wrong with plugins, beside their skills. */
export interface PluginFindings {
  readonly plugins: readonly LintSubject[];
  /** All of it as the reader of plugins says it. Its notes are no findings. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Checks the plugins in folders that were read. A folder is a plugin if its plugin.json names the
 * standard. What lies inside a skill is an example of one.
 */
export async function pluginFindings(tree: FolderTree, skills: readonly FoundSkill[], cwd: string): Promise<PluginFindings> {
  const plugins: LintSubject[] = [];
  const told: SkillDiagnostic[] = [];
  // A link to a plugin may lie beside it.
  const seen = new Set<string>();
  for (const folder of tree.foldersWith('plugin.json')) {
    if (skills.some((skill) => isInFolder(skill) && isInside(skill.folder, folder))) continue;
    const text = await readFile(path.join(folder, 'plugin.json'), 'utf8').catch(() => '');
    const real = await realpath(folder).catch(() => folder);
    if (!text.includes('agent-plugins.org/') || seen.has(real)) continue;
    seen.add(real);
    // Most folders are none, and then nothing of it is imported.
    const [{ checkPlugin }, { pluginFolders }] = await Promise.all([import('./check-plugin.ts'), import('@repertoire/agent-plugins/node')]);
    for (const { files, name } of pluginFolders([folder])) {
      const { plugin, diagnostics } = await checkPlugin(files);
      // What is wrong with a skill, the rules of skills find.
      const own = diagnostics.filter(({ code }) => code.startsWith('plugin-') && code !== 'plugin-skill-invalid');
      told.push(...own);
      plugins.push({
        facts: { folder, path: path.join(shownFolder(folder, cwd), 'plugin.json'), name: plugin?.manifest.name ?? name },
        findings: own.flatMap(findingOf),
        ignores: [],
        uri: null,
      });
    }
  }
  return { plugins, diagnostics: told };
}

function findingOf({ severity, message, fix, path: file }: SkillDiagnostic): LintSubject['findings'] {
  if (severity === 'info') return [];
  const rule = severity === 'error' ? invalidPlugin : pluginAdvice;
  return [[rule.id, { message, ...(fix !== undefined && { fix }), ...(file !== undefined && file !== 'plugin.json' && { file }) }]];
}

function shownFolder(folder: string, cwd: string): string {
  return isInside(cwd, folder) ? path.relative(cwd, folder) : folder;
}
