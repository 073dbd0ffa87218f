import { compareText } from '@repertoire/skills-core/internal';
import fs, { type Dirent, type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { DiskPace, lookAtEach, type Look } from './disk-pace.ts';
import { isInside } from './is-inside.ts';
import { withSlashes } from './with-slashes.ts';
import { statSignature, type StatSignature } from './stat-signature.ts';

/** What to look for, and how far. */
export interface WalkOptions {
  /** Levels of folders below the first. */
  readonly depth: number;
  /** Folders to look into. */
  readonly maxDirectories: number;
  /** Which links to follow: those to somewhere inside `boundary`, all, or none. */
  readonly links: 'inside' | 'all' | 'none';
  /** The folder that no link may leave, by its real path. */
  readonly boundary: string;
  /** Whether a folder of this name, at this real path, is looked into. */
  readonly acceptFolder: (name: string, realPath: string) => boolean;
  /** Whether a file of this name is of interest. */
  readonly acceptFile: (name: string) => boolean;
  /** Whether such a folder is left out beside a file of interest (`resources`). @default none is */
  readonly leaveResources?: ((name: string) => boolean) | undefined;
  /** Whether a folder that is not looked into is to be told of in `skipped`. @default none is */
  readonly noteSkipped?: ((name: string) => boolean) | undefined;
  /** Whether to note the look of each folder, and not of the start alone. @default false */
  readonly signed?: boolean | undefined;
  readonly signal: AbortSignal;
  /** What is known of the disk. @default nothing */
  readonly pace?: DiskPace | undefined;
}

/** A folder that was not looked into. */
export interface SkippedFolder {
  /** Path below the folder that was walked. */
  readonly path: string;
  readonly absolute: string;
  readonly real: string;
  /** `depth`: it lies deeper than the walk went. `name`: its name was not accepted. */
  readonly why: 'depth' | 'name';
}

/** A folder that was left out, or a link to one. */
export interface LeftFolder {
  readonly absolute: string;
  /** `null` for a link, which was not followed. */
  readonly real: string | null;
}

/** A file that was found. */
export interface WalkedFile {
  /** Path below the folder that was walked, with `/`. */
  readonly path: string;
  readonly name: string;
  /** Absolute path of the folder that it was found in, as the walk came there. */
  readonly folder: string;
  /** Real path of the folder that it was found in. */
  readonly realFolder: string;
  /** Whether the file itself is a link. */
  readonly linked: boolean;
}

/** Something on the way that could not be, or was not, looked into. */
export interface WalkProblem {
  readonly kind: 'unreadable' | 'link-broken' | 'link-outside' | 'truncated';
  /** Path below the folder that was walked; empty for that folder itself. */
  readonly path: string;
  /** Where a link leads, or what the operating system said. */
  readonly detail: string;
}

/** What a walk found, in the order of paths whatever order the disk keeps. */
export interface Walk {
  readonly files: readonly WalkedFile[];
  /** Every folder that was looked into, by absolute path; `null` where its look was not noted. */
  readonly directories: ReadonlyMap<string, StatSignature | null>;
  readonly problems: readonly WalkProblem[];
  /** Folders that were not looked into, as far as they are to be told of; at most a thousand. */
  readonly skipped: readonly SkippedFolder[];
  /** Folders, and links to some, that belong to a file beside them. */
  readonly resources: readonly LeftFolder[];
  /** Real paths of the folders that were looked into, by links as well. */
  readonly walked: ReadonlySet<string>;
}

/** Waiting for a slow disk, not computing. */
const folderConcurrency = 32;

const maxSkipped = 1_000;

/** Folders with tens of thousands of entries would block the event loop too long. */
const hugeFolderBytes = 524_288;

/**
 * Walks a folder level by level. Real folders are walked once, links in the order of their paths
 * after everything that needs none. The bound on folders gives the same answer every time.
 *
 * Our own walk, for speed: to find 1,000 skills in a fresh process, fast-glob takes 2.6 times as
 * long (more than twice for 900 skills of others), and its import as long as the whole walk.
 * `fastGlob.sync` takes 1.2 times as long, but blocks the event loop until it is done. Use
 * fast-glob if it ever takes less than a third longer.
 */
export async function walkFolder(folder: string, realFolder: string, options: WalkOptions): Promise<Walk> {
  return await walkFolders([{ absolute: folder, real: realFolder }], options);
}

/** The same for several folders, as if they lay in one. */
export async function walkFolders(
  folders: readonly { readonly absolute: string; readonly real: string }[],
  options: WalkOptions,
): Promise<Walk> {
  const state: WalkState = {
    files: [],
    directories: new Map(),
    problems: [],
    skipped: [],
    resources: [],
    walked: new Set(),
    pace: options.pace ?? new DiskPace(),
    left: options.maxDirectories,
  };
  const starts = folders.map(({ absolute, real }) => ({ path: '', absolute, real: withSlashes(real), depth: options.depth }));
  let links = await walkPlaces(starts, state, options);
  while (links.length > 0 && options.links !== 'none') {
    links.sort((a, b) => compareText(a.path, b.path));
    const further: Link[] = [];
    for (const link of links) {
      options.signal.throwIfAborted();
      const target = await linkTarget(link, options, state.problems);
      if (target === null) continue;
      if (target.stats.isFile() && options.acceptFile(link.name)) {
        state.files.push({ path: link.path, name: link.name, folder: link.folder, realFolder: link.realFolder, linked: true });
      } else if (target.stats.isDirectory() && link.depth > 0 && options.acceptFolder(link.name, target.real)) {
        further.push(...(await walkPlaces([{ ...link, real: target.real, depth: link.depth - 1 }], state, options)));
      }
    }
    links = further;
  }
  if (state.pace.isSliceOver) await state.pace.rest();
  options.signal.throwIfAborted();
  state.files.sort((a, b) => compareText(a.path, b.path));
  state.problems.sort((a, b) => compareText(a.path, b.path));
  state.skipped.sort((a, b) => compareText(a.path, b.path));
  return state;
}

interface Place {
  /** Path below the walked folder; empty for that folder itself. */
  readonly path: string;
  readonly absolute: string;
  readonly real: string;
  /** Levels that may lie below it. */
  readonly depth: number;
}

interface Link {
  readonly path: string;
  readonly name: string;
  readonly folder: string;
  readonly absolute: string;
  readonly realFolder: string;
  readonly depth: number;
}

interface WalkState {
  readonly files: WalkedFile[];
  readonly directories: Map<string, StatSignature | null>;
  readonly problems: WalkProblem[];
  readonly skipped: SkippedFolder[];
  readonly resources: LeftFolder[];
  readonly walked: Set<string>;
  readonly pace: DiskPace;
  left: number;
}

interface FolderRead {
  readonly signature: StatSignature | null;
  readonly entries: readonly Dirent[] | NodeJS.ErrnoException;
}

async function walkPlaces(starts: readonly Place[], state: WalkState, options: WalkOptions): Promise<Link[]> {
  const links: Link[] = [];
  const look = folderLook((place) => options.signed === true || starts.includes(place));
  let level = starts;
  while (level.length > 0) {
    const below: Place[] = [];
    const take = ({ signature, entries }: FolderRead, place: Place): void => {
      if (!(entries instanceof Error)) {
        state.directories.set(place.absolute, signature);
        return sortOut(entries, place, state, below, links, options);
      }
      // A folder that disappeared during the walk: the change of its parent is noticed.
      if (entries.code !== 'ENOENT' || starts.includes(place))
        state.problems.push({ kind: 'unreadable', path: place.path, detail: entries.code ?? entries.message });
    };
    await lookAtEach(placesToRead(level, state), look, state.pace, folderConcurrency, options.signal, take);
    level = below;
  }
  return links;
}

function placesToRead(level: readonly Place[], state: WalkState): readonly Place[] {
  const places: Place[] = [];
  for (const place of level) {
    if (state.walked.has(place.real)) continue;
    if (state.left === 0) {
      if (!state.problems.some(({ kind }) => kind === 'truncated')) state.problems.push({ kind: 'truncated', path: '', detail: '' });
      break;
    }
    state.left -= 1;
    state.walked.add(place.real);
    places.push(place);
  }
  return places;
}

/** @param signs which folders' looks are noted */
function folderLook(signs: (place: Place) => boolean): Look<Place, FolderRead> {
  return {
    now: (place) => {
      const signature = signs(place) ? signatureOf(place.absolute) : null;
      if (signature !== null && signature.size > hugeFolderBytes) return undefined;
      try {
        return { signature, entries: fs.readdirSync(place.absolute, { withFileTypes: true }) };
      } catch (error) {
        return { signature: null, entries: error as NodeJS.ErrnoException };
      }
    },
    later: (place) =>
      new Promise((resolve) => {
        const signature = signs(place) ? signatureOf(place.absolute) : null;
        fs.readdir(place.absolute, { withFileTypes: true }, (error, entries) => {
          resolve(error === null ? { signature, entries } : { signature: null, entries: error });
        });
      }),
  };
}

function sortOut(
  entries: readonly Dirent[],
  { path, absolute, real, depth }: Place,
  { files, skipped, resources }: WalkState,
  below: Place[],
  links: Link[],
  { acceptFile, acceptFolder, leaveResources, noteSkipped }: WalkOptions,
): void {
  const hasResources = leaveResources !== undefined && entries.some((entry) => acceptFile(entry.name) && !entry.isDirectory());
  const prefix = path === '' ? '' : `${path}/`;
  const folders: Place[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isFile()) {
      if (acceptFile(name)) files.push({ path: prefix + name, name, folder: absolute, realFolder: real, linked: false });
      continue;
    }
    const isLink = entry.isSymbolicLink();
    if (!isLink && !entry.isDirectory()) continue;
    const inner = `${absolute}/${name}`;
    // Where no link was on the way, one text serves as both.
    const realInner = real === absolute ? inner : `${real}/${name}`;
    const isAccepted = acceptFolder(name, realInner);
    if (isAccepted && hasResources && leaveResources(name)) resources.push({ absolute: inner, real: isLink ? null : realInner });
    else if (isLink) {
      if (isAccepted || acceptFile(name))
        links.push({ path: prefix + name, name, folder: absolute, absolute: inner, realFolder: real, depth });
    } else if (isAccepted && depth > 0) folders.push({ path: prefix + name, absolute: inner, real: realInner, depth: depth - 1 });
    else if (noteSkipped?.(name) === true && skipped.length < maxSkipped)
      skipped.push({ path: prefix + name, absolute: inner, real: realInner, why: isAccepted ? 'depth' : 'name' });
  }
  if (folders.length > 1) folders.sort((a, b) => compareText(a.path, b.path));
  for (const folder of folders) below.push(folder);
}

function signatureOf(absolute: string): StatSignature | null {
  try {
    // Takes microseconds, and must be done before the folder is read.
    return statSignature(fs.statSync(absolute), Date.now());
  } catch {
    // Reading the folder fails next, and tells why.
    return null;
  }
}

async function linkTarget(link: Link, options: WalkOptions, problems: WalkProblem[]): Promise<{ real: string; stats: Stats } | null> {
  try {
    const real = await realpath(link.absolute);
    const stats = await stat(real);
    if (options.links === 'all' || isInside(options.boundary, real)) return { real: withSlashes(real), stats };
    // A link to some file that no skill is made of is of no interest here.
    if (stats.isDirectory() || options.acceptFile(link.name)) problems.push({ kind: 'link-outside', path: link.path, detail: real });
  } catch (error) {
    problems.push({ kind: 'link-broken', path: link.path, detail: (error as NodeJS.ErrnoException).code ?? String(error) });
  }
  return null;
}
