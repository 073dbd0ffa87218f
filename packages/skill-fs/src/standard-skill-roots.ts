import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { SkillRoot } from './skill-roots.ts';

/** Options of {@link standardSkillRoots}. */
export interface StandardSkillRootsOptions {
  /** The folder that the project's places are looked for from. @default process.cwd() */
  readonly cwd?: string | undefined;
  /** The person's home folder. @default os.homedir() */
  readonly home?: string | undefined;
  /**
   * Whether you trust what lies in these places. Anyone who can get a file into a repository can
   * put a skill there, hence the default.
   * @default false
   */
  readonly trusted?: boolean | undefined;
}

const knownOptions: OptionRules<StandardSkillRootsOptions> = {
  cwd: 'string',
  home: 'string',
  trusted: 'boolean',
};
const places = [path.join('.agents', 'skills'), path.join('.claude', 'skills')];

/**
 * The places where agents by convention keep skills, in order of priority: first the project's,
 * then the person's. In each folder `.agents/skills` comes before `.claude/skills`.
 *
 * The project's places are those of `cwd` and of each folder above it, up to the one that holds
 * `.git` (a folder, or a file as in worktrees and submodules); where there is no `.git` above, only
 * those of `cwd`. The nearest folder comes first. Places need not exist.
 *
 * Follows the Agent Skills guide for client implementers, section "Discover".
 *
 * @example
 * ```ts
 * import { fileSystemSkillProvider, standardSkillRoots } from '@repertoire/skill-fs';
 *
 * export const provider = fileSystemSkillProvider({ roots: standardSkillRoots() });
 * ```
 */
export function standardSkillRoots(options: StandardSkillRootsOptions = {}): readonly SkillRoot[] {
  assertKnownOptions('standardSkillRoots', options, knownOptions);
  const { cwd = process.cwd(), home = homedir(), trusted = false } = options;
  const project = projectFolders(path.resolve(cwd)).map((folder) => ({ folder, label: 'project' }));
  const all = [...project, { folder: path.resolve(home), label: 'user' }];
  const seen = new Set<string>();
  return all
    .flatMap(({ folder, label }) => places.map((place) => ({ path: path.join(folder, place), label, trusted, optional: true })))
    .filter((root) => !seen.has(root.path) && seen.add(root.path));
}

function projectFolders(cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    folders.push(folder);
    if (existsSync(path.join(folder, '.git'))) return folders;
    if (folder === path.dirname(folder)) return [cwd];
  }
}
