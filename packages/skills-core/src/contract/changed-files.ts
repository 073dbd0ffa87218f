import { compareText } from './skill-name.ts';

/** Paths that differ between two lists of files, each in its order. */
export interface FileChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/**
 * Files by their paths, with their digests. One without a digest is the same as another without.
 */
type DigestsByPath = Iterable<readonly [path: string, digest: string | undefined]>;

/** Compares two lists of files by their digests. */
export function changedFiles(before: DigestsByPath, now: DigestsByPath): FileChanges {
  const [old, present] = [new Map(before), new Map(now)];
  const [was, is] = [[...old.keys()].sort(compareText), [...present.keys()].sort(compareText)];
  return {
    added: is.filter((path) => !old.has(path)),
    removed: was.filter((path) => !present.has(path)),
    changed: is.filter((path) => old.has(path) && old.get(path) !== present.get(path)),
  };
}
