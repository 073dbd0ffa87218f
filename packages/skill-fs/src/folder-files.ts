import fs, { type Dirent } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isWindowsTrick } from '@repertoire/skills-core/internal';
import { abortable, isResourcePath } from '@repertoire/skills-core/provider';
import { DiskPace } from './disk-pace.ts';
import { FolderLook, type FolderEntry, type SeenFolders } from './folder-look.ts';
import { isInside, realPathOf, resolveInside } from './inside.ts';
import { isAbsence, openRegularFile, readStart } from './open-regular-file.ts';
import { absolutePath } from './skill-roots.ts';
import { stampOf, statSignature } from './stat-signature.ts';

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
  const pace = new DiskPace();
  const root: FindRoot = () => realPathOf(absolute);
  const seen: SeenFolders = new Map();
  const beginLook = (): { files: FolderFiles; end: () => void } => {
    const look = new FolderLook(seen);
    const end = (): void => {
      look.isOver = true;
    };
    return { files: filesOf(absolute, root, pace, { look, real: undefined, uri: undefined }), end };
  };
  return { path: absolute, files: Object.assign(filesOf(absolute, root, pace), { beginLook }) };
}

/** A folder within a look, with what the look knows of it. */
interface Looked {
  readonly look: FolderLook;
  real: string | undefined;
  readonly uri: string | undefined;
}

/** Names of which nothing can be wrong, and which a URL has as they are. */
const plainPath = /^[\w-]{1,64}(?:[./][\w-]{1,64}){0,3}$/;

/** Finds the real path of a folder, `'outside'`, or `null` if it is not there. */
type FindRoot = () => string | null;

function filesOf(absolute: string, root: FindRoot, pace: DiskPace, looked?: Looked): FolderFiles {
  let uri = looked?.uri;
  /** What the look knows; `undefined` where only the folder itself can tell. */
  const known = <Value>(inner: string, ask: (look: FolderLook, real: string) => Value | undefined): Value | undefined => {
    if (looked === undefined || looked.look.isOver || !(inner === '' || plainPath.test(inner) || isInnerPath(inner))) return undefined;
    if (looked.real === undefined) {
      const real = root();
      if (real === null || real === 'outside') return undefined;
      looked.real = real;
    }
    return ask(looked.look, looked.real);
  };
  const files: FolderFiles = {
    get uri() {
      return (uri ??= pathToFileURL(`${absolute}/`).href);
    },
    list: async (inner, { signal } = {}) =>
      await abortable(async () => {
        await pace.begin(absolute);
        return known(inner, (look, real) => look.list(real, inner)) ?? list(root, inner);
      }, signal),
    read: async (inner, { signal, maxBytes = Number.MAX_SAFE_INTEGER } = {}) =>
      await abortable(async () => {
        await pace.begin(absolute);
        return known(inner, (look, real) => look.read(real, inner, maxBytes)) ?? (await read(root, inner, maxBytes, pace));
      }, signal),
    folder: (inner) => {
      const real = looked?.look.isOver === false ? looked.real : undefined;
      const below = path.join(absolute, inner);
      if (looked === undefined || real === undefined || !plainPath.test(inner) || !looked.look.hasFolder(real, inner))
        return filesOf(below, innerRoot(root, inner), pace);
      const inside = { look: looked.look, real: `${real}/${inner}`, uri: `${files.uri}${inner}/` };
      return filesOf(below, innerRoot(root, inner, inside.real), pace, inside);
    },
  };
  return files;
}

/** Found once: what takes its place later is not inside of what was found. */
function innerRoot(outer: FindRoot, inner: string, seen?: string): FindRoot {
  let known = seen;
  return () => {
    if (known !== undefined) return known;
    const place = locate(outer(), inner);
    if (place === null || place === 'outside') return place;
    return (known = place.real);
  };
}

function list(root: FindRoot, inner: string): readonly FolderEntry[] | 'outside' | null {
  const place = locate(root(), inner);
  if (place === null || place === 'outside') return place;
  try {
    return fs.readdirSync(place.real, { withFileTypes: true }).map((entry) => entryAt(place.root, `${place.real}/${entry.name}`, entry));
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

function entryAt(root: string, file: string, entry: Dirent): FolderEntry {
  const { name } = entry;
  if (entry.isDirectory()) return { name, kind: 'folder' };
  try {
    const real = entry.isSymbolicLink() ? fs.realpathSync.native(file) : file;
    if (!isInside(root, real)) return { name, kind: 'outside' };
    const stats = fs.lstatSync(real);
    if (stats.isDirectory()) return { name, kind: 'folder' };
    return stats.isFile()
      ? { name, kind: 'file', size: stats.size, stamp: stampOf(statSignature(stats, Date.now())) }
      : { name, kind: 'other' };
  } catch (error) {
    if (isAbsence(error)) return { name, kind: 'other' };
    throw error;
  }
}

async function read(
  rootOf: FindRoot,
  inner: string,
  maxBytes: number,
  pace: DiskPace,
): Promise<{ readonly bytes: Uint8Array; readonly size: number } | 'outside' | null> {
  if (!isInnerPath(inner)) return null;
  const root = rootOf();
  if (root === null || root === 'outside') return root;
  // Most files have no link on the way to them, and opening one proves it.
  const plain = await startOf(path.join(root, inner), maxBytes, pace);
  if (plain !== null) return plain;
  const place = locate(root, inner);
  return place === null || place === 'outside' ? place : await startOf(place.real, maxBytes, pace);
}

async function startOf(
  real: string,
  maxBytes: number,
  pace: DiskPace,
): Promise<{ readonly bytes: Uint8Array; readonly size: number } | null> {
  const opened = openRegularFile(real, 'allow');
  if (opened === null) return null;
  try {
    const { size } = opened.stats;
    const bytes = await readStart(opened, Math.min(size, maxBytes), pace);
    return { bytes, size: bytes.length < Math.min(size, maxBytes) ? bytes.length : size };
  } finally {
    fs.closeSync(opened.descriptor);
  }
}

function isInnerPath(inner: string): boolean {
  return isResourcePath(inner.normalize('NFC')) && !(path.sep === '\\' && isWindowsTrick(inner));
}

function locate(root: string | null, inner: string): { readonly root: string; readonly real: string } | 'outside' | null {
  if (inner !== '' && !isInnerPath(inner)) return null;
  if (root === null || root === 'outside') return root;
  const real = inner === '' ? root : realPathOf(path.join(root, inner));
  if (real !== null) return isInside(root, real) ? { root, real } : 'outside';
  const spelled = resolveInside(root, inner);
  return spelled === null ? null : { root, real: spelled.real };
}
