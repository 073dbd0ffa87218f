import { compareText } from '@repertoire/skills-core/internal';
import fs, { type Dirent, type Stats } from 'node:fs';
import type { DiskPace } from './disk-pace.ts';
import { isInside, withSlashes } from './inside.ts';
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
  /** Whether a folder of this name is looked into. */
  readonly acceptFolder: (name: string) => boolean;
  /** Whether a file of this name is of interest. */
  readonly acceptFile: (name: string) => boolean;
  /** Whether such a folder is left out beside a file of interest (`resources`). @default none is */
  readonly leaveResources?: ((name: string) => boolean) | undefined;
  /** Whether a folder that is not looked into is to be told of in `skipped`. @default none is */
  readonly noteSkipped?: ((name: string) => boolean) | undefined;
  /** Whether to note the look of each folder, and not of the start alone. @default false */
  readonly signed?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly pace: DiskPace;
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

interface Place {
  /** Path below the walked folder; empty for that folder itself. */
  readonly path: string;
  readonly absolute: string;
  readonly real: string;
  /** Levels that may lie below it. */
  readonly depth: number;
}

interface Link extends Omit<Place, 'real'> {
  readonly name: string;
  readonly folder: string;
  readonly realFolder: string;
}

const maxSkipped = 1_000;

/** Folders with tens of thousands of entries would block the event loop too long. */
const hugeFolderBytes = 524_288;

/**
 * Walks folders, as if they lay in one, level by level. Real folders are walked once, links in the
 * order of their paths after everything that needs none. The bound on folders gives the same answer
 * every time.
 *
 * Our own walk, for speed: to find 1,000 skills in a fresh process, fast-glob takes 2.6 times as
 * long (more than twice for 900 skills of others), and its import as long as the whole walk.
 * `fastGlob.sync` takes 1.2 times as long, but blocks the event loop until it is done. Use
 * fast-glob if it ever takes less than a third longer.
 */
export async function walkFolders(
  folders: readonly { readonly absolute: string; readonly real: string }[],
  options: WalkOptions,
): Promise<Walk> {
  const walk = new FolderWalk(options);
  await walk.run(folders.map(({ absolute, real }) => ({ path: '', absolute, real: withSlashes(real), depth: options.depth })));
  return walk;
}

class FolderWalk implements Walk {
  readonly files: WalkedFile[] = [];
  readonly directories = new Map<string, StatSignature | null>();
  readonly problems: WalkProblem[] = [];
  readonly skipped: SkippedFolder[] = [];
  readonly resources: LeftFolder[] = [];
  readonly walked = new Set<string>();
  readonly #options: WalkOptions;
  #left: number;
  #links: Link[] = [];

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#left = options.maxDirectories;
  }

  async run(starts: readonly Place[]): Promise<void> {
    const { links: which, acceptFile, acceptFolder, signal, pace } = this.#options;
    await this.#walkLevels(starts);
    while (this.#links.length > 0 && which !== 'none') {
      const links = this.#links.sort(byPath);
      this.#links = [];
      for (const link of links) {
        if (pace.isSliceOver) await pace.restInScan(signal);
        const target = this.#targetOf(link);
        if (target === null) continue;
        const { path, name, folder, realFolder, depth } = link;
        if (target.stats.isFile() && acceptFile(name)) this.files.push({ path, name, folder, realFolder, linked: true });
        else if (target.stats.isDirectory() && depth > 0 && acceptFolder(name))
          await this.#walkLevels([{ ...link, real: target.real, depth: depth - 1 }]);
      }
    }
    if (pace.isSliceOver) await pace.restInScan(signal);
    signal.throwIfAborted();
    this.files.sort(byPath);
    this.problems.sort(byPath);
    this.skipped.sort(byPath);
  }

  async #walkLevels(starts: readonly Place[]): Promise<void> {
    const { pace, signal, signed = false } = this.#options;
    for (let level = starts; level.length > 0;) {
      const below: Place[] = [];
      for (const place of level) {
        if (this.walked.has(place.real)) continue;
        if (this.#left === 0) {
          if (!this.problems.some(({ kind }) => kind === 'truncated')) this.problems.push({ kind: 'truncated', path: '', detail: '' });
          break;
        }
        this.#left -= 1;
        this.walked.add(place.real);
        const isStart = starts.includes(place);
        let entries: readonly Dirent[] | null = null;
        pace.call();
        try {
          // Takes microseconds, and must be done before the folder is read.
          const stats = signed || isStart ? fs.statSync(place.absolute) : null;
          const signature = stats && statSignature(stats, Date.now());
          entries =
            stats !== null && stats.size > hugeFolderBytes
              ? await entriesByThread(place.absolute)
              : fs.readdirSync(place.absolute, { withFileTypes: true });
          this.directories.set(place.absolute, signature);
        } catch (error) {
          const { code, message } = error as NodeJS.ErrnoException;
          // A folder that disappeared during the walk: the change of its parent is noticed.
          if (code !== 'ENOENT' || isStart) this.problems.push({ kind: 'unreadable', path: place.path, detail: code ?? message });
        }
        const isOver = pace.called();
        if (entries !== null) this.#sortOut(entries, place, below);
        if (isOver) await pace.restInScan(signal);
      }
      level = below;
    }
  }

  #sortOut(entries: readonly Dirent[], { path, absolute, real, depth }: Place, below: Place[]): void {
    const { acceptFile, acceptFolder, leaveResources, noteSkipped } = this.#options;
    const hasResources = leaveResources !== undefined && entries.some((entry) => acceptFile(entry.name) && !entry.isDirectory());
    const prefix = path === '' ? '' : `${path}/`;
    const first = below.length;
    for (const entry of entries) {
      const { name } = entry;
      if (entry.isFile()) {
        if (acceptFile(name)) this.files.push({ path: prefix + name, name, folder: absolute, realFolder: real, linked: false });
        continue;
      }
      const isLink = entry.isSymbolicLink();
      if (!isLink && !entry.isDirectory()) continue;
      const inner = `${absolute}/${name}`;
      // Where no link was on the way, one text serves as both.
      const realInner = real === absolute ? inner : `${real}/${name}`;
      const isAccepted = acceptFolder(name);
      if (isAccepted && hasResources && leaveResources(name)) this.resources.push({ absolute: inner, real: isLink ? null : realInner });
      else if (isLink) {
        if (isAccepted || acceptFile(name))
          this.#links.push({ path: prefix + name, name, folder: absolute, absolute: inner, realFolder: real, depth });
      } else if (isAccepted && depth > 0) below.push({ path: prefix + name, absolute: inner, real: realInner, depth: depth - 1 });
      else if (noteSkipped?.(name) === true && this.skipped.length < maxSkipped)
        this.skipped.push({ path: prefix + name, absolute: inner, real: realInner, why: isAccepted ? 'depth' : 'name' });
    }
    if (below.length - first > 1) below.push(...below.splice(first).sort(byPath));
  }

  #targetOf(link: Link): { readonly real: string; readonly stats: Stats } | null {
    const { links, boundary, acceptFile } = this.#options;
    try {
      const real = fs.realpathSync.native(link.absolute);
      const stats = fs.statSync(real);
      if (links === 'all' || isInside(boundary, real)) return { real: withSlashes(real), stats };
      // A link to some file that no skill is made of is of no interest here.
      if (stats.isDirectory() || acceptFile(link.name)) this.problems.push({ kind: 'link-outside', path: link.path, detail: real });
    } catch (error) {
      this.problems.push({ kind: 'link-broken', path: link.path, detail: (error as NodeJS.ErrnoException).code ?? String(error) });
    }
    return null;
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return compareText(a.path, b.path);
}

function entriesByThread(folder: string): Promise<Dirent[]> {
  return new Promise((resolve, reject) => {
    fs.readdir(folder, { withFileTypes: true }, (error, entries) => (error === null ? resolve(entries) : reject(error)));
  });
}
