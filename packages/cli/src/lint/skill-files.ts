import type { Hash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compareText } from '@repertoire/skills-core/internal';
import { decodeText } from '@repertoire/skills-core/provider';
import { FolderTree } from '../source/folder-tree.ts';
import type { LintFile } from './lint-rule.ts';

/** Larger files are not looked into. */
export const maxTextBytes: number = 2 ** 20;
/** Of all files of a skill together. */
export const maxTotalBytes: number = 16 * 2 ** 20;
/** A folder of more files is no skill. */
export const maxFiles = 10_000;
const maxDepth = 32;
const maxLeftOut = 100;

/** A file of a folder, by what the file system says of it. */
export interface FolderFile {
  /** Path inside the folder, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly mode: number;
  /** When its bytes or its mode changed last, in milliseconds since 1970. */
  readonly changedMs: number;
  readonly isFile: boolean;
}

/** Paths of what {@link filesBelow} leaves out: hidden files and folders, and `node_modules`. */
export function leftOutOf(folder: string, tree: FolderTree): string[] {
  const found: string[] = [];
  const look = (full: string, inside: string, depth: number): void => {
    for (const entry of tree.entriesOf(full)) {
      if (found.length >= maxLeftOut) return;
      if (entry.name.startsWith('.') || entry.name === 'node_modules') found.push(`${inside}${entry.name}`);
      else if (entry.isDirectory() && depth < maxDepth) look(`${full}${path.sep}${entry.name}`, `${inside}${entry.name}/`, depth + 1);
    }
  };
  look(path.resolve(folder), '', 0);
  return found.sort(compareText);
}

/** The files below a folder, sorted, without hidden ones, `node_modules` and links. */
export function filesBelow(folder: string, tree: FolderTree = new FolderTree()): FolderFile[] {
  const files: FolderFile[] = [];
  collect(path.resolve(folder), '', 0, tree, files);
  return files.sort((a, b) => compareText(a.path, b.path));
}

/**
 * Reads the texts of files. What is a link, or too large, is not looked into.
 *
 * @param digest takes everything that was read
 */
export function readTexts(
  folder: string,
  files: readonly FolderFile[],
  digest: Hash,
): { readonly files: LintFile[]; readonly unread: string[] } {
  const unread = files.slice(maxFiles).map(({ path: file }) => file);
  let left = maxTotalBytes;
  const texts = files.slice(0, maxFiles).map(({ path: file, size, mode, isFile }) => {
    const bytes = isFile && size <= Math.min(maxTextBytes, left) ? readIfThere(path.join(folder, file)) : null;
    if (bytes === null) unread.push(file);
    else left -= bytes.length;
    const isExecutable = (mode & 0o100) !== 0;
    digest.update(`\0${file}\0${isExecutable}\0${bytes === null ? 'unread' : bytes.length}\0`);
    if (bytes !== null) digest.update(bytes);
    return { path: file, isExecutable, text: bytes === null ? null : decodeText(bytes) };
  });
  digest.update(unread.join('\0'));
  return { files: texts, unread };
}

/** Joins paths itself: `path.join` would take as long as `stat`. */
function collect(folder: string, inside: string, depth: number, tree: FolderTree, files: FolderFile[]): void {
  for (const entry of tree.entriesOf(folder)) {
    if (files.length > maxFiles || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const full = `${folder}${path.sep}${entry.name}`;
    const file = `${inside}${entry.name}`;
    if (entry.isDirectory()) {
      if (depth < maxDepth) collect(full, `${file}/`, depth + 1, tree, files);
      continue;
    }
    const found = lstatSync(full, { throwIfNoEntry: false });
    if (found === undefined) continue;
    files.push({
      path: file,
      size: found.size,
      mode: found.mode,
      changedMs: Math.max(found.mtimeMs, found.ctimeMs),
      isFile: found.isFile(),
    });
  }
}

function readIfThere(full: string): Uint8Array | null {
  try {
    return readFileSync(full);
  } catch {
    return null;
  }
}
