import type { Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { SkillResourceEntry } from '@repertoire/skills-core';
import { compareResources, compareText, forEachBounded, isResourcePath, resourceEntry } from '@repertoire/skills-core/provider';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isSkillResource } from './is-skill-resource.ts';
import { resolveInside } from './resolve-inside.ts';
import { isVisibleName } from './visible-names.ts';
import { walkFolder, type WalkProblem } from './walk-folder.ts';

/** Deeper than anything that a person made. */
const resourceDepth = 32;

/** The files of a skill, whether there are more of them, and what could not be looked into. */
export interface ResourceList {
  readonly entries: SkillResourceEntry[];
  readonly truncated: boolean;
  readonly problems: readonly WalkProblem[];
  /** Paths of files that are left out because they have more than one hard link. */
  readonly hardLinked: readonly string[];
}

/**
 * Lists the files of a skill in the contract's order: no hidden file, nothing that a link brings in from outside the folder, and nothing of the
 * skills that lie inside it.
 *
 * @param realFolder the skill's folder, by its real path
 * @param skillFolders real paths of all folders that are skills
 */
export async function listResources(
  realFolder: string,
  skillFolders: ReadonlySet<string>,
  settings: FileSystemSettings,
  signal: AbortSignal,
): Promise<ResourceList> {
  const { hiddenFiles, limits, concurrency } = settings;
  const walk = await walkFolder(realFolder, realFolder, {
    depth: resourceDepth,
    maxDirectories: limits.directories,
    links: 'inside',
    boundary: realFolder,
    acceptFolder: (name, real) => isVisibleName(name, hiddenFiles) && !skillFolders.has(real),
    acceptFile: (name) => isVisibleName(name, hiddenFiles),
    signal,
  });
  const seen = new Set<string>();
  const candidates = walk.files
    .map((file) => ({ ...file, listed: file.path.normalize('NFC') }))
    .filter(({ listed }) => isResourcePath(listed) && isSkillResource(listed, realFolder, skillFolders, hiddenFiles))
    // Spelled in NFC first: of two names that only differ in it, that is the one a read finds.
    .sort((a, b) => Number(a.path !== a.listed) - Number(b.path !== b.listed))
    .filter(({ listed }) => !seen.has(listed) && seen.add(listed))
    .sort((a, b) => compareResources({ path: a.listed }, { path: b.listed }));

  const entries: SkillResourceEntry[] = [];
  const hardLinked: string[] = [];
  await forEachBounded(
    candidates.slice(0, limits.resources),
    concurrency,
    async ({ path: found, listed, linked }) => {
      if (linked) {
        const target = await resolveInside(realFolder, listed);
        if (target === null || !isSkillResource(target.relative, realFolder, skillFolders, hiddenFiles)) return;
      }
      const stats = await statsOf(path.join(realFolder, found));
      if (stats === null) return;
      if (settings.hardLinks === 'refuse' && stats.nlink > 1) hardLinked.push(listed);
      else entries.push(resourceEntry(listed, { size: stats.size }));
    },
    signal,
  );
  return {
    entries: entries.sort(compareResources),
    truncated: candidates.length > limits.resources,
    problems: walk.problems,
    hardLinked: hardLinked.sort(compareText),
  };
}

async function statsOf(file: string): Promise<Stats | null> {
  try {
    return await lstat(await realpath(file));
  } catch {
    // Gone since the folder was read: not a file of the skill any more.
    return null;
  }
}
