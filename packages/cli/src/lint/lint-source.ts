import path from 'node:path';
import { createSkillset, SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import type { CommandIo, CommandReport } from '../commands/command.ts';
import { FolderTree } from '../source/folder-tree.ts';
import { isInFolder, type FoundSkill } from '../source/skills-of-source.ts';
import { count } from '../text/count.ts';
import type { LintCache } from './lint-cache.ts';
import { lintOne, type LintedSkill } from './lint-one.ts';
import type { LintRule, LintSettings } from './lint-rule.ts';
import { readLintSkill } from './read-lint-skill.ts';
import { filesBelow, leftOutOf } from './skill-files.ts';
import { stepsChecker } from './steps-checker.ts';

/**
 * Applies rules to skills. One that cannot be read hides no other.
 *
 * @throws {SkillError} `skill-not-found` for a folder without any skill
 */
export async function lintSource(
  found: readonly FoundSkill[],
  rules: readonly LintRule[],
  settings: Omit<LintSettings, 'countTokens' | 'checkSteps'>,
  cache: LintCache,
  report: Pick<CommandReport, 'error' | 'diagnostic' | 'progress'>,
  { signal }: Pick<CommandIo, 'signal'>,
  tree: FolderTree = new FolderTree(),
): Promise<LintedSkill[]> {
  const { countTokens } = createSkillset({ skills: [] });
  let checkSteps: LintSettings['checkSteps'] | null = null;
  let stepsUnchecked = 0;
  const linted: LintedSkill[] = [];
  for (const [index, each] of found.entries()) {
    signal.throwIfAborted();
    if (index % 20 === 0) report.progress(`Read ${index} of ${count(found.length, 'skill')}…`);
    if (isInFolder(each) && each.file === null)
      throw new SkillError('skill-not-found', `There is no skill in ${each.shown}. A skill is a folder with a SKILL.md.`, {
        path: each.folder,
      });
    const below = isInFolder(each) ? filesBelow(each.folder, tree) : [];
    const leftOut = isInFolder(each) ? leftOutOf(each.folder, tree) : [];
    const before = isInFolder(each) ? cache.byState(each.folder, below) : null;
    if (before !== null && before.leftOut.join('\0') === leftOut.join('\0')) {
      linted.push(before);
      continue;
    }
    try {
      const skill = await readLintSkill(each, signal, below, leftOut);
      if (skill === null) continue;
      const same = isInFolder(each) ? cache.byDigest(skill, below) : null;
      if (same !== null) {
        linted.push(same);
        continue;
      }
      if (skill.parsed.metadata?.steps !== undefined) {
        checkSteps = checkSteps === null ? await stepsChecker(settings.tools) : checkSteps;
        if (checkSteps === undefined) stepsUnchecked += 1;
      }
      const one = await lintOne(skill, rules, { ...settings, countTokens, checkSteps: checkSteps ?? undefined });
      // The package that reads steps may be another one next time.
      if (isInFolder(each) && !one.hasSteps) cache.put(skill, below, one);
      linted.push(one);
    } catch (error) {
      signal.throwIfAborted();
      report.error(
        SkillError.isInstance(error)
          ? error
          : new SkillError('source-unavailable', `${each.shown} cannot be read: ${String(error)}`, { cause: error }),
      );
    }
  }
  for (const diagnostic of notChecked(linted, stepsUnchecked)) report.diagnostic(diagnostic);
  // A tree of its own: what lies above the folders was not asked for.
  const above = new FolderTree();
  const plugins = new Map<string, boolean>();
  return linted.map((one) => inPlugin(one, above, plugins));
}

/** Files that make a folder a plugin: of the standard, and of clients. */
const manifests: readonly (readonly [string, string])[] = [
  ['.', 'plugin.json'],
  ['.claude-plugin', 'plugin.json'],
  ['.codex-plugin', 'plugin.json'],
  ['.cursor-plugin', 'plugin.json'],
  ['.github', 'plugin.json'],
];

/** Says to which plugin a skill belongs: what is above its folder may change without it. */
function inPlugin(one: LintedSkill, tree: FolderTree, plugins: Map<string, boolean>): LintedSkill {
  const { folder } = one.facts;
  if (folder === null) return one;
  const { plugin: _before, ...facts } = one.facts;
  // A skill lies in `skills/` of its plugin, or in a folder of these.
  for (let above = path.dirname(path.resolve(folder)), depth = 0; depth < 4; above = path.dirname(above), depth += 1) {
    // Most skills lie beside others.
    const isPlugin =
      plugins.get(above) ??
      manifests.some(([inside, name]) => tree.entriesOf(path.join(above, inside)).some((entry) => entry.name === name));
    plugins.set(above, isPlugin);
    if (isPlugin) return { ...one, facts: { ...facts, plugin: above } };
  }
  return { ...one, facts };
}

function notChecked(linted: readonly LintedSkill[], stepsUnchecked: number): SkillDiagnostic[] {
  const bits = linted.filter(({ hasUnknownScript }) => hasUnknownScript).length;
  return [
    ...linted.filter(({ unread }) => unread.length > 0).map(notLookedInto),
    ...(stepsUnchecked === 0
      ? []
      : [
          {
            code: 'steps-not-checked',
            severity: 'info' as const,
            message: `The steps of ${count(stepsUnchecked, 'skill')} were not checked. Run: npm install --save-dev @repertoire/skill-workflow`,
          },
        ]),
    ...(bits === 0
      ? []
      : [
          {
            code: 'executable-not-checked',
            severity: 'info' as const,
            message: `Whether the scripts of ${count(bits, 'skill')} may be executed was not checked: only folders tell.`,
            fix: 'Lint the folders that they come from.',
          },
        ]),
  ];
}

function notLookedInto({ facts, unread }: LintedSkill): SkillDiagnostic {
  const named = `${unread.slice(0, 5).join(', ')}${unread.length > 5 ? ', …' : ''}`;
  const message = `${count(unread.length, 'file')} of ${facts.name} not looked into (${named}): links, large files, or more than a skill should have.`;
  return { code: 'file-not-checked', severity: 'info', message, skill: facts.name, path: facts.path };
}
