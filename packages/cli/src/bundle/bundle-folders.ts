import path from 'node:path';
import { fileSystemSkillProvider, type FileSystemSkillProvider } from '@repertoire/skill-fs';
import { wrongUsage } from '../text/wrong-usage.ts';

/** Folders of skills, for a plugin of a bundler. */
export interface BundleFoldersOptions {
  /** Folders of skills; relative ones start from `cwd`. */
  readonly roots: readonly string[];
  readonly cwd: string;
  /** Most bytes of one file. */
  readonly maxFileBytes: number;
  /** Take only what the standard's reference validator takes. @default false */
  readonly strict?: boolean | undefined;
  readonly label: string;
}

/**
 * The provider that reads the folders of a plugin. It lists once, so that one build sees the same
 * skills throughout.
 *
 * @throws {SkillError} `invalid-options` where there is no root
 */
export function bundleFolders({ roots, cwd, strict = false, label, maxFileBytes }: BundleFoldersOptions): FileSystemSkillProvider {
  if (!Array.isArray(roots) || roots.length === 0) {
    throw wrongUsage("There are no roots. Name the folders of your skills, such as roots: ['skills'].");
  }
  return fileSystemSkillProvider({
    roots: roots.map((root) => (root.startsWith('~') ? root : path.resolve(cwd, root))),
    label,
    profile: strict ? 'strict' : 'lenient',
    staleAfterMs: Infinity,
    limits: { resources: Number.MAX_SAFE_INTEGER, resourceBytes: Math.max(1, maxFileBytes) },
  });
}
