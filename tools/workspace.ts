import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What the tools read of a `package.json`. */
export interface PackageManifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** A package of this workspace. */
export interface WorkspacePackage {
  /** Path from the root of the repository, such as `packages/skills-core`. */
  readonly path: string;
  /** Absolute path. */
  readonly directory: string;
  readonly manifest: PackageManifest;
}

/** Absolute path of the repository. */
export const repositoryRoot: string = resolve(dirname(import.meta.filename), '..');

/** The packages that match a glob pattern from the root, in order of their path. */
export function workspacePackages(pattern: string): WorkspacePackage[] {
  return globSync(`${pattern}/package.json`, { cwd: repositoryRoot, exclude: ['**/node_modules/**'] })
    .map((file) => {
      const path = dirname(file);
      const manifest = JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8')) as PackageManifest;
      return { path, directory: join(repositoryRoot, path), manifest };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The packages that are published: all of `packages/*` that are not private. */
export function publishedPackages(): WorkspacePackage[] {
  return workspacePackages('packages/*').filter(({ manifest }) => manifest.private !== true);
}

/** Whether a path from the root exists. */
export function inRepository(path: string): boolean {
  return existsSync(join(repositoryRoot, path));
}
