import { SkillError } from '@repertoire/skills-core';
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { systemPaths } from './readable-paths.ts';
import type { RunOwner } from './run-user.ts';
import { spawnAndWait } from './spawn-and-wait.ts';

/** Folders that a confined run has of its own. */
const own = ['/proc', '/dev', '/sys', '/tmp', '/skill'];

/**
 * The real path of the folder in which commands start.
 *
 * @throws {SkillError} `invalid-options` if it is not a folder that can be shown to a command alone
 */
export async function openProject(project: string, temporaryFolder: string): Promise<string> {
  const real = await realpath(project).catch(() => null);
  if (real === null || !(await stat(real)).isDirectory()) throw refused(project, 'there is no such folder');
  const holds = (inner: string): boolean => real === '/' || `${inner}/`.startsWith(`${real}/`);
  const whole = [homedir(), await realpath(temporaryFolder).catch(() => temporaryFolder), ...systemPaths, ...own].find(holds);
  if (whole !== undefined) throw refused(project, `it is or contains ${whole}`);
  const place = own.find((folder) => folder !== '/tmp' && real.startsWith(`${folder}/`));
  if (place !== undefined) throw refused(project, `a confined command has a ${place} of its own`);
  return real;
}

/** @throws {SkillError} `invalid-options` if the user of a run cannot enter the folder */
export async function assertReadable(project: string, owner: RunOwner | null): Promise<void> {
  if ((await spawnAndWait(['/bin/sh', '-c', 'cd -- "$1" && test -r .', 'sh', project], owner, 10_000)) === 0) return;
  const who = owner === null ? 'this process' : 'other users, as one of which commands of root run';
  throw refused(project, `it cannot be read by ${who}. Allow it, or run the host as the owner of the folder`);
}

function refused(project: string, why: string): SkillError {
  return new SkillError(
    'invalid-options',
    `Commands cannot start in the project ${JSON.stringify(project)}: ${why}. Give the folder of one project.`,
  );
}
