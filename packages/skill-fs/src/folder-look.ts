import fs from 'node:fs';
import path from 'node:path';
import { readOnlyFlags } from './open-regular-file.ts';
import { isUnchanged, looksSame, stampOf, statSignature, type StatSignature } from './stat-signature.ts';

/** What stands in a folder, all links followed. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'outside' | 'other';
  readonly size?: number | undefined;
  readonly stamp?: string | undefined;
}

interface SeenFolder {
  readonly signature: StatSignature;
  readonly folders: ReadonlySet<string>;
  readonly files: ReadonlyMap<string, { readonly signature: StatSignature; readonly entry: FolderEntry }>;
  readonly entries: readonly FolderEntry[];
}

/** Folders by their real paths, so that the next look need not read those that did not change. */
export type SeenFolders = Map<string, SeenFolder>;

const maxKeptFolders = 20_000;
const mostFilesAtOnce = 256;
const mostBytesAtOnce = 262_144;

/**
 * One look at folders, as in a listing. A folder that was just seen is no link, and a file is the
 * same if its inode and times are. Answers `undefined` for anything less simple.
 */
export class FolderLook {
  readonly #kept: SeenFolders;
  readonly #seen = new Map<string, SeenFolder>();
  /** Whether what was seen no longer counts; always on Windows, where names have tricks. */
  isOver: boolean = path.sep === '\\';

  constructor(kept: SeenFolders) {
    this.#kept = kept;
  }

  /**
   * The entries of a folder.
   *
   * @param root a real path
   */
  list(root: string, inner: string): readonly FolderEntry[] | undefined {
    if (inner !== '' && !this.hasFolder(root, inner)) return undefined;
    const real = inner === '' ? root : `${root}/${inner}`;
    const seen = hasLinkAbove(root, inner) ? undefined : this.#look(real);
    if (seen === undefined) return undefined;
    this.#seen.set(real, seen);
    if (this.#kept.size < maxKeptFolders || this.#kept.has(real)) this.#kept.set(real, seen);
    return seen.entries;
  }

  /** Whether a folder was seen, and is no link. */
  hasFolder(root: string, inner: string): boolean {
    const { parent, name } = this.#place(root, inner);
    return parent?.folders.has(name) === true;
  }

  /** The first bytes of a file that was seen. */
  read(root: string, inner: string, maxBytes: number): { readonly bytes: Uint8Array; readonly size: number } | undefined {
    const { parent, name } = this.#place(root, inner);
    const signature = parent?.files.get(name)?.signature;
    if (signature === undefined || Math.min(signature.size, maxBytes) > mostBytesAtOnce) return undefined;
    try {
      return readSeen(`${root}/${inner}`, signature, maxBytes);
    } catch {
      return undefined;
    }
  }

  #place(root: string, inner: string): { readonly parent: SeenFolder | undefined; readonly name: string } {
    const end = inner.lastIndexOf('/');
    return { parent: this.#seen.get(end === -1 ? root : `${root}/${inner.slice(0, end)}`), name: inner.slice(end + 1) };
  }

  #look(real: string): SeenFolder | undefined {
    try {
      const readAt = Date.now();
      const stats = fs.lstatSync(real);
      if (!stats.isDirectory()) return undefined;
      const before = this.#kept.get(real);
      const isSame = before !== undefined && isUnchanged(before.signature, stats);
      const names = isSame ? { folders: before.folders, files: [...before.files.keys()] } : namesIn(real);
      return names && withFiles(real, names, statSignature(stats, readAt), before, isSame);
    } catch {
      return undefined;
    }
  }
}

/** Whether something took the place of a folder on the way to another since it was seen. */
function hasLinkAbove(root: string, inner: string): boolean {
  for (let end = inner.indexOf('/'); end !== -1; end = inner.indexOf('/', end + 1)) {
    if (fs.lstatSync(`${root}/${inner.slice(0, end)}`, { throwIfNoEntry: false })?.isDirectory() !== true) return true;
  }
  return false;
}

interface Names {
  readonly folders: ReadonlySet<string>;
  readonly files: readonly string[];
}

function namesIn(real: string): Names | undefined {
  const folders = new Set<string>();
  const files: string[] = [];
  for (const entry of fs.readdirSync(real, { withFileTypes: true })) {
    if (entry.isDirectory()) folders.add(entry.name);
    else if (entry.isFile() && files.length < mostFilesAtOnce) files.push(entry.name);
    else return undefined;
  }
  return { folders, files };
}

/** @param isSame whether the folder has the entries that it had before */
function withFiles(
  real: string,
  names: Names,
  signature: StatSignature,
  before: SeenFolder | undefined,
  isSame: boolean,
): SeenFolder | undefined {
  const files = new Map<string, { readonly signature: StatSignature; readonly entry: FolderEntry }>();
  let changed = 0;
  for (const name of names.files) {
    const readAt = Date.now();
    const stats = fs.lstatSync(`${real}/${name}`);
    if (!stats.isFile()) return undefined;
    const known = before?.files.get(name);
    if (known !== undefined && isUnchanged(known.signature, stats)) {
      files.set(name, known);
      continue;
    }
    changed += 1;
    const own = statSignature(stats, readAt);
    files.set(name, { signature: own, entry: { name, kind: 'file', size: own.size, stamp: stampOf(own) } });
  }
  if (before !== undefined && isSame && changed === 0) return before;
  const folders = [...names.folders].map((name): FolderEntry => ({ name, kind: 'folder' }));
  return { signature, folders: names.folders, files, entries: [...folders, ...[...files.values()].map(({ entry }) => entry)] };
}

function readSeen(
  real: string,
  signature: StatSignature,
  maxBytes: number,
): { readonly bytes: Uint8Array; readonly size: number } | undefined {
  const descriptor = fs.openSync(real, readOnlyFlags);
  try {
    const stats = fs.fstatSync(descriptor);
    if (!stats.isFile() || !looksSame(signature, statSignature(stats, 0))) return undefined;
    const bytes = new Uint8Array(Math.min(stats.size, maxBytes));
    return fs.readSync(descriptor, bytes, 0, bytes.length, 0) === bytes.length ? { bytes, size: stats.size } : undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}
