import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { isInside } from './is-inside.ts';

/**
 * What the folder of a skill has and its list of files does not, although somebody put it there: links that lead out of the folder, and folders that cannot be read.
 * An agent goes on without; a build must not.
 *
 * @throws {SkillError} `permission-denied` for a link, `source-unavailable` for a folder
 */
export async function refuseLostFiles(skill: string, folder: string): Promise<void> {
  const root = await realpath(folder);
  const pending = [root];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    const here = current;
    const entries = await readdir(here, { withFileTypes: true }).catch((cause: unknown) => {
      throw unreadable(skill, here, cause);
    });
    // A skill in a skill is looked at by itself.
    if (here !== root && entries.some(({ name }) => name.toLowerCase() === 'skill.md')) continue;
    for (const entry of entries) {
      if (!isBundled(entry.name)) continue;
      const file = path.join(here, entry.name);
      if (entry.isDirectory()) pending.push(file);
      else if (entry.isSymbolicLink()) {
        // A link that leads nowhere has nothing to lose.
        const target = await realpath(file).catch(() => root);
        if (!isInside(root, target)) throw leadsOut(skill, file, target);
      }
    }
  }
}

/** As skill-fs leaves names out. */
function isBundled(name: string): boolean {
  return !name.startsWith('.') && !['node_modules', '__pycache__', 'thumbs.db'].includes(name.toLowerCase());
}

function leadsOut(skill: string, file: string, target: string): SkillError {
  return new SkillError(
    'permission-denied',
    `Skill ${JSON.stringify(skill)} has a link, ${file}, that leads out of its folder, to ${target}, and is not followed. Put a copy in its place, or remove it.`,
    { skill, path: file },
  );
}

function unreadable(skill: string, folder: string, cause: unknown): SkillError {
  return new SkillError(
    'source-unavailable',
    `Skill ${JSON.stringify(skill)} has a folder that cannot be read, ${folder}: ${String(cause)}.`,
    {
      skill,
      path: folder,
      cause,
    },
  );
}
