import { execFile } from 'node:child_process';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { findPrograms } from './find-program.ts';
import type { RunOwner } from './run-user.ts';

/** A file of Git that a run sees instead of those of the project. */
export interface NeutralGitConfig {
  readonly text: string;
  /** Real paths of the files that it covers. */
  readonly places: readonly string[];
}

/**
 * What is kept of a repository's configuration: how its files are to be read, and where it came
 * from. Whatever else Git gets to know in the future is left out with the rest.
 */
const kept: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|bare|filemode|ignorecase|symlinks|precomposeunicode|autocrlf|eol)$/,
  /^extensions\.(?:objectformat|refstorage|partialclone|noop|preciousobjects|relativeworktrees)$/,
  /^remote\..*\.(?:url|fetch|promisor|partialclonefilter)$/s,
  /^branch\..*\.(?:remote|merge)$/s,
];

const most = { maxBuffer: 1_048_576, timeout: 10_000 };

/**
 * The configuration with which `git` reads a project: dozens of its settings name programs
 * (filters, drivers, aliases, hooks, pagers), and a project may come from anybody.
 *
 * @returns `null` if the project is no repository
 */
export async function neutralGitConfig(project: string, owner: RunOwner | null): Promise<NeutralGitConfig | null> {
  const folder = await commonFolder(path.join(project, '.git'));
  if (folder === null) return null;
  const places = await Promise.all(
    ['config', 'config.worktree'].map(async (name) => {
      const place = await realpath(path.join(folder, name)).catch(() => null);
      return place !== null && (await stat(place)).isFile() ? [place] : [];
    }),
  );
  const config = await settingsIn(path.join(folder, 'config'), owner);
  const modules = await settingsIn(path.join(project, '.gitmodules'), owner);
  // Git would ask each submodule with the configuration that it has of its own.
  const names = new Set(modules.flatMap(([key]) => /^submodule\.(?<name>.*)\.path$/s.exec(key)?.groups?.['name'] ?? []));
  const text = [
    ...config.filter(([key]) => kept.some((pattern) => pattern.test(key))),
    ...Array.from(names, (name) => [`submodule.${name}.ignore`, 'all'] as const),
    ['diff.ignoresubmodules', 'all'] as const,
  ];
  return { text: text.map(([key, value]) => lineOf(key, value)).join(''), places: places.flat() };
}

/** Returns the folder with the configuration. In a worktree, `.git` is a file that leads to it. */
async function commonFolder(place: string): Promise<string | null> {
  const first = await readFile(place, 'utf8').catch((error: unknown) =>
    error instanceof Error && 'code' in error && error.code === 'EISDIR' ? null : undefined,
  );
  if (first === undefined) return null;
  const own = first === null ? place : path.resolve(path.dirname(place), /^gitdir: (.*)$/m.exec(first)?.[1] ?? '.');
  const common = await readFile(path.join(own, 'commondir'), 'utf8').catch(() => '.');
  return path.resolve(own, common.trim());
}

/** Reads the settings in a file. That starts no program, whatever the file says. */
async function settingsIn(file: string, owner: RunOwner | null): Promise<readonly (readonly [key: string, value: string])[]> {
  const [git] = await findPrograms('git', process.env['PATH']);
  if (git === undefined) return [];
  const listed = await promisify(execFile)(git, ['config', '--file', file, '--no-includes', '-z', '--list'], {
    ...most,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    ...(owner && { uid: owner.uid, gid: owner.gid }),
  }).catch(() => ({ stdout: '' }));
  return listed.stdout
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const end = entry.indexOf('\n');
      return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    });
}

function lineOf(key: string, value: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const section = key.slice(0, first);
  const name = first === last ? section : `${section} "${key.slice(first + 1, last).replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const quoted = value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
  return `[${name}]\n\t${key.slice(last + 1)} = "${quoted}"\n`;
}
