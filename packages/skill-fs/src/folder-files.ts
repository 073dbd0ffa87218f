import type { Dirent } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isWindowsTrick } from '@repertoire/skills-core/internal';
import { abortable, isResourcePath } from '@repertoire/skills-core/provider';
import { disk, DiskReader, type DiskSteps } from './disk-steps.ts';
import { FolderLook, type FolderEntry, type SeenFolders } from './folder-look.ts';
import { isInside } from './is-inside.ts';
import { isAbsence, readStart, withRegularFile } from './open-regular-file.ts';
import { resolveInside } from './resolve-inside.ts';
import { absolutePath } from './skill-roots.ts';
import { exactSignature, stampOf } from './stat-signature.ts';

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A folder and what lies in it. All links are followed; what leaves it is `'outside'`. */
export interface FolderFiles {
  readonly uri: string;
  list(folder: string, options?: CallOptions): Promise<readonly FolderEntry[] | 'outside' | null>;
  read(
    file: string,
    options?: CallOptions & { readonly maxBytes?: number | undefined },
  ): Promise<{ readonly bytes: Uint8Array; readonly size: number } | 'outside' | null>;
  folder(folder: string): FolderFiles;
  /** Begins a look, whose calls cost less; its files stay valid. @default not within a look */
  beginLook?(): { readonly files: FolderFiles; readonly end: () => void };
}

/**
 * The files of a folder, by the calls that skills are read with.
 *
 * @throws {SkillError} `invalid-options` for what names no folder
 */
export function folderFiles(folder: string | URL): { readonly path: string; readonly files: FolderFiles } {
  const absolute = absolutePath(folder);
  const reader = new DiskReader();
  const root = outerRoot(absolute);
  const seen: SeenFolders = new Map();
  const beginLook = (): { files: FolderFiles; end: () => void } => {
    const look = new FolderLook(seen);
    const end = (): void => {
      look.isOver = true;
    };
    return { files: filesInLook(absolute, root, null, reader, look), end };
  };
  return { path: absolute, files: Object.assign(filesOf(absolute, root, reader), { beginLook }) };
}

/** The real path of a folder, `'outside'`, or `null` if it is not there. */
type RootSteps = () => DiskSteps<string | null>;

function filesOf(absolute: string, root: RootSteps, reader: DiskReader): FolderFiles {
  let uri: string | undefined;
  return {
    get uri() {
      return (uri ??= pathToFileURL(`${absolute}/`).href);
    },
    list: async (inner, { signal } = {}) => await abortable(() => reader.run(listSteps(root, inner)), signal),
    read: async (inner, { signal, maxBytes = Number.MAX_SAFE_INTEGER } = {}) =>
      await abortable(() => reader.run(readSteps(root, inner, maxBytes)), signal),
    folder: (inner) => filesOf(path.join(absolute, inner), innerRoot(root, inner), reader),
  };
}

/** Names of which nothing can be wrong, and which a URL has as they are. */
const plainPath = /^[\w-]{1,64}(?:[./][\w-]{1,64}){0,3}$/;

/** @param seen real path and URL, if the look knows them */
function filesInLook(
  absolute: string,
  root: RootSteps,
  seen: { readonly real: string; readonly uri: string } | null,
  reader: DiskReader,
  look: FolderLook,
): FolderFiles {
  let strict: FolderFiles | undefined;
  const files = (): FolderFiles => (strict ??= filesOf(absolute, root, reader));
  let place = seen?.real;
  const isAskable = (inner: string): boolean => !look.isOver && (inner === '' || plainPath.test(inner) || isInnerPath(inner));
  /** Most calls need not wait for anything, and a promise costs as much as a call of the disk. */
  const now = <Value>(inner: string, work: (place: string) => Value | undefined): Value | undefined => {
    const known = place;
    return known !== undefined && isAskable(inner) ? reader.now(() => work(known)) : undefined;
  };
  const atOnce = async <Value>(inner: string, work: (place: string) => Value | undefined): Promise<Value | undefined> => {
    if (!isAskable(inner)) return undefined;
    const known = (place ??= (await reader.run(root())) ?? undefined);
    return known === undefined ? undefined : await reader.atOnce(() => (look.isOver ? undefined : work(known)));
  };
  const inLook: FolderFiles = {
    get uri() {
      return seen?.uri ?? files().uri;
    },
    list: async (inner, options = {}) => {
      options.signal?.throwIfAborted();
      const work = (known: string) => look.list(known, inner);
      return now(inner, work) ?? (await atOnce(inner, work)) ?? (await files().list(inner, options));
    },
    read: async (inner, options = {}) => {
      options.signal?.throwIfAborted();
      const { maxBytes = Number.MAX_SAFE_INTEGER } = options;
      const work = (known: string) => look.read(known, inner, maxBytes);
      return now(inner, work) ?? (await atOnce(inner, work)) ?? (await files().read(inner, options));
    },
    folder: (inner) => {
      if (look.isOver || place === undefined || !plainPath.test(inner) || !look.hasFolder(place, inner)) return files().folder(inner);
      const below = { real: `${place}/${inner}`, uri: `${inLook.uri}${inner}/` };
      return filesInLook(path.join(absolute, inner), innerRoot(root, inner, below.real), below, reader, look);
    },
  };
  return inLook;
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

/** Found once: what takes its place later is not inside of what was found. */
function innerRoot(outer: RootSteps, inner: string, seen?: string): RootSteps {
  let known = seen;
  return function* () {
    if (known !== undefined) return known;
    const place = (yield* plainFolder(outer, inner)) ?? (yield* locate(outer, inner));
    if (place === null || place === 'outside') return place;
    return (known = place.real);
  };
}

function* listSteps(rootSteps: RootSteps, inner: string): DiskSteps<readonly FolderEntry[] | 'outside' | null> {
  const place = (yield* plainFolder(rootSteps, inner)) ?? (yield* locate(rootSteps, inner));
  if (place === null || place === 'outside') return place;
  let found: readonly Dirent[];
  try {
    found = yield* disk.entries(place.real);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
  const entries: FolderEntry[] = [];
  for (const entry of found) entries.push(yield* entryAt(place.root, `${place.real}/${entry.name}`, entry));
  return entries;
}

/** A folder without links between, which is cheaper to check; `null` for any other. */
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

function* entryAt(root: string, file: string, entry: Dirent): DiskSteps<FolderEntry> {
  const { name } = entry;
  if (entry.isDirectory()) return { name, kind: 'folder' };
  try {
    const real = entry.isSymbolicLink() ? yield* disk.realpath(file) : file;
    if (!isInside(root, real)) return { name, kind: 'outside' };
    const stats = yield* disk.lstat(real);
    if (stats.isDirectory()) return { name, kind: 'folder' };
    return stats.isFile()
      ? { name, kind: 'file', size: Number(stats.size), stamp: stampOf(exactSignature(stats, Date.now())) }
      : { name, kind: 'other' };
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
    const { size } = stats;
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
