import { compareText } from '@repertoire/skills-core/provider';
import fs, { type Dirent, type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import fastGlob from 'fast-glob';
import { isInside } from './is-inside.ts';
import { withSlashes } from './with-slashes.ts';
import { statSignature, type StatSignature } from './stat-signature.ts';

/** What to look for, and how far. */
export interface WalkOptions {
  /** The glob that files have to match; letter case is ignored. */
  readonly pattern: string;
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
  readonly signal: AbortSignal;
}

/** A file that was found. */
export interface WalkedFile {
  /** Path below the folder that was walked, with `/`. */
  readonly path: string;
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
  /** Every folder that was looked into, by absolute path, as it was just before. */
  readonly directories: ReadonlyMap<string, StatSignature>;
  readonly problems: readonly WalkProblem[];
}

/** More than fast-glob's default, the number of processors: reading folders is waiting, not computing. */
const globConcurrency = 32;

/**
 * Walks a folder with fast-glob, and everything that links lead to, with three things added: each real folder is walked once at most (so a cycle
 * of links ends, and no file is found twice), a link may be refused, and a bound on folders gives the same answer every time.
 *
 * Links are followed after the folders that can be reached without one, and in order of their paths.
 */
export async function walkFolder(folder: string, realFolder: string, options: WalkOptions): Promise<Walk> {
  const walk = await walkOnce(folder, realFolder, options, false);
  // Folders are read side by side, so which of them a bound cuts off is a matter of luck; one at a time it is not.
  return walk.problems.some(({ kind }) => kind === 'truncated') ? await walkOnce(folder, realFolder, options, true) : walk;
}

interface Place {
  /** Path below the walked folder, with a trailing `/` unless empty. */
  readonly prefix: string;
  readonly absolute: string;
  readonly real: string;
  readonly depth: number;
}

interface Link {
  readonly path: string;
  readonly name: string;
  readonly absolute: string;
  readonly realFolder: string;
  readonly depth: number;
}

async function walkOnce(folder: string, realFolder: string, options: WalkOptions, inOrder: boolean): Promise<Walk> {
  const files: WalkedFile[] = [];
  const directories = new Map<string, StatSignature>();
  const problems: WalkProblem[] = [];
  const walked = new Set<string>();
  const state = { directories, problems, walked, left: options.maxDirectories };

  let links = await walkPlace(
    { prefix: '', absolute: folder, real: withSlashes(realFolder), depth: options.depth },
    files,
    state,
    options,
    inOrder,
  );
  while (links.length > 0 && options.links !== 'none') {
    links.sort((a, b) => compareText(a.path, b.path));
    const further: Link[] = [];
    for (const link of links) {
      options.signal.throwIfAborted();
      const target = await linkTarget(link, options, problems);
      if (target === null) continue;
      if (target.stats.isFile() && options.acceptFile(link.name)) {
        files.push({ path: link.path, realFolder: link.realFolder, linked: true });
      } else if (target.stats.isDirectory() && link.depth > 0 && options.acceptFolder(link.name, target.real)) {
        const place = { prefix: `${link.path}/`, absolute: link.absolute, real: target.real, depth: link.depth - 1 };
        further.push(...(await walkPlace(place, files, state, options, inOrder)));
      }
    }
    links = further;
  }
  options.signal.throwIfAborted();
  files.sort((a, b) => compareText(a.path, b.path));
  problems.sort((a, b) => compareText(a.path, b.path));
  return { files, directories, problems };
}

interface WalkState {
  readonly directories: Map<string, StatSignature>;
  readonly problems: WalkProblem[];
  readonly walked: Set<string>;
  left: number;
}

async function walkPlace(place: Place, files: WalkedFile[], state: WalkState, options: WalkOptions, inOrder: boolean): Promise<Link[]> {
  const links: Link[] = [];
  const { acceptFile, acceptFolder, signal } = options;

  const readFolder = (
    absolute: string,
    settings: { withFileTypes: true },
    callback: (error: Error | null, entries: Dirent[]) => void,
  ): void => {
    const inner = absolute.length > place.absolute.length ? absolute.slice(place.absolute.length + 1) : '';
    const path = place.prefix + inner;
    const real = inner === '' ? place.real : `${place.real}/${inner}`;
    if (signal.aborted || state.walked.has(real)) return callback(null, []);
    if (state.left === 0) {
      if (!state.problems.some(({ kind }) => kind === 'truncated')) state.problems.push({ kind: 'truncated', path: '', detail: '' });
      return callback(null, []);
    }
    state.left -= 1;
    state.walked.add(real);
    const signature = signatureOf(absolute);
    fs.readdir(absolute, settings, (error, entries) => {
      if (error !== null) {
        // A folder that went away meanwhile is not a problem, it is news: the folder above has changed too.
        if (error.code !== 'ENOENT' || inner === '')
          state.problems.push({ kind: 'unreadable', path: path.replace(/\/$/, ''), detail: error.code ?? error.message });
        return callback(null, []);
      }
      if (signature !== null) state.directories.set(absolute, signature);
      const kept = entries.filter((entry) => {
        if (entry.isDirectory()) return acceptFolder(entry.name, `${real}/${entry.name}`);
        if (entry.isFile()) return acceptFile(entry.name);
        if (entry.isSymbolicLink() && (acceptFile(entry.name) || acceptFolder(entry.name, `${real}/${entry.name}`))) {
          const levels = inner === '' ? 0 : inner.split('/').length;
          const linkPath = path === '' || path.endsWith('/') ? path + entry.name : `${path}/${entry.name}`;
          links.push({
            path: linkPath,
            name: entry.name,
            absolute: `${absolute}/${entry.name}`,
            realFolder: real,
            depth: place.depth - levels,
          });
        }
        return false;
      });
      if (inOrder) kept.sort((a, b) => compareText(a.name, b.name));
      callback(null, kept);
    });
  };

  const found = await fastGlob(options.pattern, {
    cwd: place.absolute,
    caseSensitiveMatch: false,
    deep: place.depth + 1,
    dot: true,
    followSymbolicLinks: false,
    unique: false,
    concurrency: inOrder ? 1 : globConcurrency,
    fs: { readdir: readFolder as unknown as typeof fs.readdir },
  });
  for (const inner of found) {
    const slash = inner.lastIndexOf('/');
    files.push({
      path: place.prefix + inner,
      realFolder: slash === -1 ? place.real : `${place.real}/${inner.slice(0, slash)}`,
      linked: false,
    });
  }
  return links;
}

function signatureOf(absolute: string): StatSignature | null {
  try {
    // At once and not by a thread: it is some microseconds, and it has to be done before the folder is read.
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
