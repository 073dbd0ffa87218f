import fs, { type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { SlowDiskError, type DiskPace } from './disk-pace.ts';
import type { DiskThread } from './disk-thread.ts';
import { foldersOf } from './discover-skill-files.ts';
import { hasChanged, type FileDigests } from './file-digests.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import type { Scan } from './scan-roots.ts';
import type { SkillIndex } from './skill-index.ts';
import type { ResolvedSkillRoot } from './skill-roots.ts';
import { isSameFolder, isSince, statSignature, type StatSignature } from './stat-signature.ts';
import { isVisibleName } from './visible-names.ts';

/** What is watched. */
interface Watched {
  readonly index: SkillIndex;
  readonly roots: readonly ResolvedSkillRoot[];
  readonly settings: FileSystemSettings;
  readonly digests: FileDigests | null;
  readonly pace: DiskPace;
}

/** Linux watches single folders; elsewhere the system watches a whole root. */
const folderByFolder = process.platform === 'linux';

/** Changes that never pause are told after this many quiet times. */
const longestBurst = 10;

/** The first look waits until nobody has called the provider for this many quiet times. */
const pauseBeforeFirstLook = 2;

/** Watches while somebody is subscribed. Looks at the disk first, then notifies. */
export class RootWatcher {
  readonly #of: Watched;
  readonly #subscribers = new Set<{ readonly onChange: () => void }>();
  #session: WatchSession | null = null;
  /** Where the roots are watched instead: a slow disk is looked at by a thread alone. */
  #thread: DiskThread | null = null;
  #closed = false;
  /** Whether something is noticed only by polling, and why. The same object each time. */
  diagnostic: SkillDiagnostic | null = null;

  constructor(of: Watched) {
    this.#of = of;
  }

  subscribe(onChange: () => void): () => void {
    if (this.#closed) {
      throw new SkillError(
        'source-unavailable',
        `[skill-fs] Source "${this.#of.settings.label}" was disposed. Make a new one with fileSystemSkillProvider.`,
        { source: this.#of.settings.label },
      );
    }
    const subscriber = { onChange };
    this.#subscribers.add(subscriber);
    this.#begin();
    return () => {
      this.#subscribers.delete(subscriber);
      if (this.#subscribers.size === 0) this.#end();
    };
  }

  /** Somebody calls the provider: watching begins when that is answered. */
  postpone(): void {
    this.#session?.postpone();
  }

  /** Leaves the roots to a thread, or takes them back from one that ended. */
  moveTo(thread: DiskThread | null): void {
    this.#end();
    this.#thread = thread;
    if (this.#subscribers.size > 0) this.#begin();
  }

  close(): void {
    this.#closed = true;
    this.#subscribers.clear();
    this.#end();
  }

  #begin(): void {
    if (this.#thread !== null) this.#thread.watch(() => this.#tell());
    else
      this.#session ??= new WatchSession(
        this.#of,
        () => this.#tell(),
        (why) => (this.diagnostic ??= watchDegraded(why, this.#of.settings)),
      );
  }

  #end(): void {
    this.#session?.end();
    this.#session = null;
    this.#thread?.watch(null);
  }

  #tell(): void {
    for (const { onChange } of this.#subscribers) onChange();
  }
}

function watchDegraded(why: string, { watch: { pollMs } }: FileSystemSettings): SkillDiagnostic {
  return {
    code: 'watch-degraded',
    severity: 'info',
    message: `Not every folder can be watched (${why}), so the disk is looked at every ${pollMs} ms.`,
    fix: 'Raise the limit that the operating system names, name narrower roots, or set watch.mode to poll.',
  };
}

/** Watches roots from now on until its end. */
class WatchSession {
  readonly #of: Watched;
  readonly #tell: () => void;
  readonly #degrade: (why: string) => void;
  readonly #startedAt = Date.now();
  readonly #rootPaths: ReadonlySet<string>;
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly folder: StatSignature }>();
  /** Roots that may have been replaced, often with the same inode. */
  readonly #doubtful = new Set<string>();
  readonly #poll: NodeJS.Timeout;
  #seen: Scan | null;
  #ended = false;
  #hasLooked = false;
  #refreshing = false;
  #burstBegan: number | null = null;
  #quiet: NodeJS.Timeout | undefined;

  constructor(of: Watched, tell: () => void, degrade: (why: string) => void) {
    this.#of = of;
    this.#tell = tell;
    this.#degrade = degrade;
    this.#rootPaths = new Set(of.roots.map(({ path }) => path));
    this.#seen = of.index.latest();
    const { debounceMs, pollMs } = of.settings.watch;
    // Polling faster than this would report one burst of changes several times.
    this.#poll = setInterval(() => void this.#pollOnce(), Math.max(pollMs, debounceMs)).unref();
    of.digests?.beginNoting();
    this.#quiet = setTimeout(() => void this.#look(), debounceMs * pauseBeforeFirstLook).unref();
  }

  /**
   * Puts off the first look, because whoever calls the provider waits for an answer, and needs no
   * watchers for it. The look finds what changes until then. A poll makes it at the latest.
   */
  postpone(): void {
    if (!this.#hasLooked) this.#quiet?.refresh();
  }

  end(): void {
    this.#ended = true;
    this.#of.index.watched = false;
    this.#of.digests?.endNoting();
    clearTimeout(this.#quiet);
    clearInterval(this.#poll);
    for (const path of this.#watchers.keys()) this.#unwatch(path);
  }

  #unwatch(path: string): void {
    this.#watchers.get(path)?.watcher.close();
    this.#watchers.delete(path);
    this.#doubtful.delete(path);
  }

  /** Answers whether the folder is watched now. */
  #watch(path: string, folder: StatSignature): boolean {
    try {
      const watcher = fs.watch(path, { persistent: false, recursive: !folderByFolder }, (event, name) => this.#happened(path, event, name));
      watcher.on('error', (error) => {
        this.#unwatch(path);
        this.#degrade(String(error));
        this.#noticed();
      });
      this.#watchers.set(path, { watcher, folder });
      return true;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // Gone already: the next look at the disk tells.
      if (code !== 'ENOENT' && code !== 'ENOTDIR') this.#degrade(String(error));
      return false;
    }
  }

  #happened(path: string, event: string, name: string | null): void {
    // What becomes of the folder itself is told under its own name.
    const mayBeItself = name === null || name === basename(path);
    if (!mayBeItself && !name.split(/[\\/]/).every((segment) => isVisibleName(segment, this.#of.settings.hiddenFiles))) return;
    if (event === 'rename' && this.#rootPaths.has(path)) this.#doubtful.add(path);
    // The watcher of a folder that was replaced no longer receives events.
    if (event === 'rename' && name !== null) {
      for (const other of this.#watchers.keys()) {
        if (other === `${path}/${name}` || other.startsWith(`${path}/${name}/`)) this.#unwatch(other);
      }
    }
    this.#noticed();
  }

  /** Watches what the scan found. Returns whether a new watcher may have missed changes. */
  async #follow(scan: Scan): Promise<boolean> {
    if (this.#of.settings.watch.mode === 'poll') return false;
    const wanted = new Map<string, StatSignature>();
    const pace = this.#of.pace;
    for (const root of scan.roots) {
      for (const [path, signature] of foldersOf(root)) {
        if (signature !== null && (folderByFolder || path === root.root.path)) wanted.set(path, signature);
        if (pace.isSliceOver) await pace.rest();
      }
    }
    for (const [path, { folder }] of this.#watchers) {
      if (this.#doubtful.has(path) || !isSameFolder(folder, wanted.get(path))) this.#unwatch(path);
      if (pace.isSliceOver) await pace.rest();
    }
    let more = false;
    for (const [path, folder] of wanted) {
      // Whoever subscribed may have left meanwhile.
      if (this.#ended) return false;
      // One that cannot be watched is polled, and is no reason to look again at once.
      if (!this.#watchers.has(path) && this.#watch(path, folder)) more = true;
      if (pace.isSliceOver) await pace.rest();
    }
    return more && !this.#ended;
  }

  /** Whether the path of a root leads elsewhere now, which its watcher is not told. */
  async #isRootReplaced(): Promise<boolean> {
    const replaced = await Promise.all(
      [...this.#rootPaths].map(async (path) => {
        const now = await stat(path).then(
          (stats) => statSignature(stats, Date.now()),
          () => undefined,
        );
        const watched = this.#watchers.get(path)?.folder;
        return watched !== undefined && !isSameFolder(watched, now);
      }),
    );
    return replaced.includes(true);
  }

  async #look(): Promise<void> {
    if (this.#ended || this.#refreshing) return;
    this.#refreshing = true;
    this.#of.index.watched = true;
    this.#hasLooked = true;
    clearTimeout(this.#quiet);
    const noticedSomething = this.#burstBegan !== null;
    this.#burstBegan = null;
    try {
      let scan = await this.#of.index.refresh(undefined);
      // What came between the look and the watching is found by looking again.
      while (!this.#ended && (await this.#follow(scan))) scan = await this.#of.index.refresh(undefined);
      // No look at folders shows that a file changed in place before it was watched.
      const changedFile = this.#of.digests !== null && (await hasChanged(this.#of.digests.endNoting(), this.#of.pace));
      const seen = this.#seen;
      const changed =
        noticedSomething || changedFile || (seen === null ? changedSince(scan, this.#startedAt) : scan.generation !== seen.generation);
      this.#seen = scan;
      if (!this.#ended && changed) this.#tell();
    } catch (error) {
      // Nothing to tell: the source cannot answer, and says so to whoever asks. Polling goes on.
      if (!this.#ended && !SkillError.isInstance(error) && !(error instanceof SlowDiskError)) throw error;
    } finally {
      this.#refreshing = false;
      if (this.#burstBegan !== null) this.#noticed();
    }
  }

  #noticed(): void {
    if (this.#ended) return;
    this.#of.index.invalidate();
    const now = performance.now();
    this.#burstBegan ??= now;
    if (this.#refreshing) return;
    clearTimeout(this.#quiet);
    const { debounceMs } = this.#of.settings.watch;
    const rest = Math.max(0, this.#burstBegan + debounceMs * longestBurst - now);
    this.#quiet = setTimeout(() => void this.#look(), Math.min(debounceMs, rest)).unref();
  }

  get #isEverythingWatched(): boolean {
    return (
      this.#of.settings.watch.mode === 'auto' &&
      this.#seen !== null &&
      this.#seen.roots.every(
        (root) => root.directories.size > 0 && (!folderByFolder || [...foldersOf(root)].every(([path]) => this.#watchers.has(path))),
      )
    );
  }

  async #pollOnce(): Promise<void> {
    if (this.#burstBegan !== null || (this.#isEverythingWatched && !(await this.#isRootReplaced()))) return;
    await this.#look();
  }
}

function changedSince(scan: Scan, time: number): boolean {
  for (const root of scan.roots) {
    for (const [, signature] of foldersOf(root)) if (isSince(signature, time)) return true;
    if (root.records.some(({ signature }) => isSince(signature, time))) return true;
  }
  return false;
}
