import type { BigIntStats, Dirent } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isWindowsTrick } from '@repertoire/skills-core/internal';
import { abortable, isResourcePath } from '@repertoire/skills-core/provider';
import { disk, DiskReader, type DiskSteps } from './disk-steps.ts';
import { isInside } from './is-inside.ts';
import { isAbsence, readStart, withRegularFile } from './open-regular-file.ts';
import { resolveInside } from './resolve-inside.ts';
import { absolutePath } from './skill-roots.ts';

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'outside' | 'other';
  readonly size?: number | undefined;
  readonly stamp?: string | undefined;
}

/**
 * A folder and what lies in it, and nothing outside of it: all links are followed, and what leaves
 * the folder is `'outside'`.
 */
export interface FolderFiles {
  readonly uri: string;
  list(folder: string, options?: CallOptions): Promise<readonly FolderEntry[] | 'outside' | null>;
  read(
    file: string,
    options?: CallOptions & { readonly maxBytes?: number | undefined },
  ): Promise<{ readonly bytes: Uint8Array; readonly size: number } | 'outside' | null>;
  folder(folder: string): FolderFiles;
}

/**
 * Coarser than the clock of every file system in use. What changed so lately may change again and
 * look the same.
 */
const coarsestClockNs = 2_000_000_000n;

/**
 * The files of a folder, by the calls that skills are read with.
 *
 * @throws {SkillError} `invalid-options` for what names no folder
 */
export function folderFiles(folder: string | URL): { readonly path: string; readonly files: FolderFiles } {
  const absolute = absolutePath(folder);
  return { path: absolute, files: filesOf(absolute, outerRoot(absolute), new DiskReader(), new Map()) };
}

/** Where a folder really is, or `'outside'`; `null` if it is not there. */
type RootSteps = () => DiskSteps<string | null>;

function filesOf(absolute: string, root: RootSteps, reader: DiskReader, listed: KeptFolders): FolderFiles {
  let uri: string | undefined;
  return {
    get uri() {
      return (uri ??= pathToFileURL(`${absolute}/`).href);
    },
    list: async (inner, { signal } = {}) => await abortable(() => reader.run(listSteps(root, inner, listed)), signal),
    read: async (inner, { signal, maxBytes = Number.MAX_SAFE_INTEGER } = {}) =>
      await abortable(() => reader.run(readSteps(root, inner, maxBytes)), signal),
    folder: (inner) => filesOf(path.join(absolute, inner), innerRoot(root, inner), reader, listed),
  };
}

function outerRoot(absolute: string): RootSteps {
  return function* () {
    try {
      return yield* disk.realpath(absolute);
    } catch (error) {
      if (isAbsence(error)) return null;
      throw error;
    }
  };
}

/**
 * Of a folder in a folder it is found out once: what takes its place later is not inside of what
 * was found, so nothing of it is read.
 */
function innerRoot(outer: RootSteps, inner: string): RootSteps {
  let known: string | undefined;
  return function* () {
    if (known !== undefined) return known;
    const place = (yield* plainFolder(outer, inner)) ?? (yield* locate(outer, inner));
    if (place === null || place === 'outside') return place;
    return (known = place.real);
  };
}

/**
 * By their real paths, what folders held when they were listed, with what each looked like just
 * before; `null` after the first look, because many folders are looked at once only.
 */
type KeptFolders = Map<string, { readonly stamp: string; readonly found: readonly Dirent[] } | null>;

/** More folders than this are read each time. */
const maxKeptFolders = 20_000;

function* listSteps(rootSteps: RootSteps, inner: string, kept: KeptFolders): DiskSteps<readonly FolderEntry[] | 'outside' | null> {
  const place = (yield* plainFolder(rootSteps, inner)) ?? (yield* locate(rootSteps, inner));
  if (place === null || place === 'outside') return place;
  let found: readonly Dirent[];
  try {
    found = yield* entriesOf(place.real, kept);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
  const entries: FolderEntry[] = [];
  for (const entry of found) entries.push(yield* look(place.root, `${place.real}/${entry.name}`, entry));
  return entries;
}

/**
 * A folder without a link between the root and it, which costs less to make sure of than where
 * links lead; `null` for any other.
 */
function* plainFolder(rootSteps: RootSteps, inner: string): DiskSteps<{ readonly root: string; readonly real: string } | null> {
  if (inner !== '' && !isInnerPath(inner)) return null;
  const root = yield* rootSteps();
  if (root === null || root === 'outside') return null;
  let real = root;
  try {
    for (const segment of inner === '' ? [] : inner.split('/')) {
      real = `${real}/${segment}`;
      if (!(yield* disk.lstat(real)).isDirectory()) return null;
    }
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
  return { root, real };
}

function* entriesOf(real: string, kept: KeptFolders): DiskSteps<readonly Dirent[]> {
  const known = kept.get(real);
  if (known === undefined) {
    if (kept.size < maxKeptFolders) kept.set(real, null);
    return yield* disk.entries(real);
  }
  const stamp = stampOf(yield* disk.lstat(real));
  if (known !== null && known.stamp === stamp) return known.found;
  const found = yield* disk.entries(real);
  kept.set(real, stamp === undefined ? null : { stamp, found });
  return found;
}

function* look(root: string, file: string, entry: Dirent): DiskSteps<FolderEntry> {
  const { name } = entry;
  if (entry.isDirectory()) return { name, kind: 'folder' };
  try {
    const real = entry.isSymbolicLink() ? yield* disk.realpath(file) : file;
    if (!isInside(root, real)) return { name, kind: 'outside' };
    const stats = yield* disk.lstat(real);
    if (stats.isDirectory()) return { name, kind: 'folder' };
    return stats.isFile() ? { name, kind: 'file', size: Number(stats.size), stamp: stampOf(stats) } : { name, kind: 'other' };
  } catch (error) {
    if (isAbsence(error)) return { name, kind: 'other' };
    throw error;
  }
}

function* readSteps(
  rootSteps: RootSteps,
  inner: string,
  maxBytes: number,
): DiskSteps<{ readonly bytes: Uint8Array; readonly size: number } | 'outside' | null> {
  if (!isInnerPath(inner)) return null;
  const root = yield* rootSteps();
  if (root === null || root === 'outside') return root;
  // Most files have no link on the way to them, and opening one proves it.
  const plain = yield* startOf(path.join(root, inner), maxBytes);
  if (plain !== null) return plain;
  const place = yield* locate(rootSteps, inner);
  return place === null || place === 'outside' ? place : yield* startOf(place.real, maxBytes);
}

function* startOf(real: string, maxBytes: number): DiskSteps<{ readonly bytes: Uint8Array; readonly size: number } | null> {
  return yield* withRegularFile(real, 'allow', function* ({ descriptor, stats }) {
    const size = Number(stats.size);
    const bytes = yield* readStart(descriptor, Math.min(size, maxBytes));
    return { bytes, size: bytes.length < Math.min(size, maxBytes) ? bytes.length : size };
  });
}

function isInnerPath(inner: string): boolean {
  return isResourcePath(inner.normalize('NFC')) && !(path.sep === '\\' && isWindowsTrick(inner));
}

function* locate(rootSteps: RootSteps, inner: string): DiskSteps<{ readonly root: string; readonly real: string } | 'outside' | null> {
  if (inner !== '' && !isInnerPath(inner)) return null;
  const root = yield* rootSteps();
  if (root === null || root === 'outside') return root;
  try {
    const real = inner === '' ? root : yield* disk.realpath(path.join(root, inner));
    return isInside(root, real) ? { root, real } : 'outside';
  } catch (error) {
    if (!isAbsence(error)) throw error;
    const spelled = yield* resolveInside(root, inner);
    return spelled === null ? null : { root, real: spelled.real };
  }
}

/** `undefined` for a file that was changed a moment ago: an equal stamp would prove nothing. */
function stampOf({ mtimeNs, ctimeNs, size, ino, dev }: BigIntStats): string | undefined {
  const newest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return newest < BigInt(Date.now()) * 1_000_000n - coarsestClockNs ? `${mtimeNs}.${ctimeNs}.${size}.${ino}.${dev}` : undefined;
}
