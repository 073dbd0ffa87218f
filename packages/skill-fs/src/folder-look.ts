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
  /** Its files by name; `null` for a folder. */
  readonly inner: ReadonlyMap<string, SeenFile | null>;
  readonly entries: readonly FolderEntry[];
}

interface SeenFile {
  readonly signature: StatSignature;
  readonly entry: FolderEntry;
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
    return parent?.inner.get(name) === null;
  }

  /** The first bytes of a file that was seen. */
  read(root: string, inner: string, maxBytes: number): { readonly bytes: Uint8Array; readonly size: number } | undefined {
    const { parent, name } = this.#place(root, inner);
    const signature = parent?.inner.get(name)?.signature;
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
      const named = isSame ? before.entries : entriesIn(real);
      return named && withFiles(real, named, statSignature(stats, readAt), before, isSame);
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

/** Folders, then files, of which only the names are known. */
function entriesIn(real: string): readonly FolderEntry[] | undefined {
  const folders: FolderEntry[] = [];
  const files: FolderEntry[] = [];
  for (const entry of fs.readdirSync(real, { withFileTypes: true })) {
    if (entry.isDirectory()) folders.push({ name: entry.name, kind: 'folder' });
    else if (entry.isFile() && files.length < mostFilesAtOnce) files.push({ name: entry.name, kind: 'file' });
    else return undefined;
  }
  return files.length === 0 ? folders : [...folders, ...files];
}

/** @param isSame whether the folder has the entries that it had before */
function withFiles(
  real: string,
  named: readonly FolderEntry[],
  signature: StatSignature,
  before: SeenFolder | undefined,
  isSame: boolean,
): SeenFolder | undefined {
  const inner = new Map<string, SeenFile | null>();
  const entries: FolderEntry[] = [];
  let changed = 0;
  for (const { name, kind } of named) {
    if (kind === 'folder') {
      inner.set(name, null);
      entries.push({ name, kind });
      continue;
    }
    const readAt = Date.now();
    const stats = fs.lstatSync(`${real}/${name}`);
    if (!stats.isFile()) return undefined;
    let file = before?.inner.get(name);
    if (file === undefined || file === null || !isUnchanged(file.signature, stats)) {
      changed += 1;
      const own = statSignature(stats, readAt);
      file = { signature: own, entry: { name, kind: 'file', size: own.size, stamp: stampOf(own) } };
    }
    inner.set(name, file);
    entries.push(file.entry);
  }
  return before !== undefined && isSame && changed === 0 ? before : { signature, inner, entries };
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
