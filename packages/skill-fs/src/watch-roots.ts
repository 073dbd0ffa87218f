import fs, { type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { DiskPace } from './disk-pace.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import type { Scan } from './scan-roots.ts';
import type { SkillIndex } from './skill-index.ts';
import { foldersOf } from './resource-folders.ts';
import type { ResolvedSkillRoot } from './skill-roots.ts';
import { isSameFolder, isSince, statSignature, type StatSignature } from './stat-signature.ts';
import { isVisibleName } from './visible-names.ts';

/** Tells subscribers of changes below the roots. */
export interface RootWatcher {
  subscribe(onChange: () => void): () => void;
  /** Whether something is noticed only by polling, and why. The same object each time. */
  readonly diagnostic: () => SkillDiagnostic | null;
  close(): void;
}

/** Linux watches single folders; elsewhere the system watches a whole root. */
const folderByFolder = process.platform === 'linux';

/** Changes that never pause are told after this many quiet times. */
const longestBurst = 10;

/** Watches while somebody is subscribed. Looks at the disk first, then notifies. */
export function watchRoots(index: SkillIndex, roots: readonly ResolvedSkillRoot[], settings: FileSystemSettings): RootWatcher {
  const subscribers = new Set<{ readonly onChange: () => void }>();
  let session: Session | null = null;
  let closed = false;
  let degraded: SkillDiagnostic | null = null;

  return {
    subscribe(onChange) {
      if (closed) {
        throw new SkillError(
          'source-unavailable',
          `[skill-fs] Source "${settings.label}" was disposed. Make a new one with fileSystemSkillProvider.`,
          { source: settings.label },
        );
      }
      const subscriber = { onChange };
      subscribers.add(subscriber);
      session ??= startSession(index, roots, settings, {
        tell: () => {
          for (const { onChange: call } of subscribers) call();
        },
        degrade: (why) => {
          degraded ??= watchDegraded(why, settings);
        },
      });
      return () => {
        subscribers.delete(subscriber);
        if (subscribers.size > 0) return;
        session?.end();
        session = null;
      };
    },

    diagnostic: () => degraded,

    close() {
      closed = true;
      subscribers.clear();
      session?.end();
      session = null;
    },
  };
}

interface Session {
  end(): void;
}

interface SessionEvents {
  readonly tell: () => void;
  readonly degrade: (why: string) => void;
}

function startSession(
  index: SkillIndex,
  roots: readonly ResolvedSkillRoot[],
  settings: FileSystemSettings,
  { tell, degrade }: SessionEvents,
): Session {
  const { debounceMs, pollMs, mode } = settings.watch;
  const startedAt = Date.now();
  const rootPaths = new Set(roots.map(({ path }) => path));
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly folder: StatSignature }>();
  /** Roots that may have been replaced, often with the same inode. */
  const doubtful = new Set<string>();
  let seen = index.latest();
  let ended = false;
  let refreshing = false;
  let burstBegan: number | null = null;
  let quiet: NodeJS.Timeout | undefined;

  const unwatch = (path: string): void => {
    watchers.get(path)?.watcher.close();
    watchers.delete(path);
    doubtful.delete(path);
  };

  /** Answers whether the folder is watched now. */
  const watchFolder = (path: string, folder: StatSignature): boolean => {
    try {
      const watcher = fs.watch(path, { persistent: false, recursive: !folderByFolder }, (event, name) => {
        // What becomes of the folder itself is told under its own name.
        const mayBeItself = name === null || name === basename(path);
        if (!mayBeItself && !name.split(/[\\/]/).every((segment) => isVisibleName(segment, settings.hiddenFiles))) return;
        if (event === 'rename' && rootPaths.has(path)) doubtful.add(path);
        // The watcher of a folder that was replaced no longer receives events.
        if (event === 'rename' && name !== null) {
          for (const other of watchers.keys()) if (other === `${path}/${name}` || other.startsWith(`${path}/${name}/`)) unwatch(other);
        }
        noticed();
      });
      watcher.on('error', (error) => {
        unwatch(path);
        degrade(String(error));
        noticed();
      });
      watchers.set(path, { watcher, folder });
      return true;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // Gone already: the next look at the disk tells.
      if (code !== 'ENOENT' && code !== 'ENOTDIR') degrade(String(error));
      return false;
    }
  };

  /** Watches what the scan found. Returns whether a new watcher may have missed changes. */
  const follow = async (scan: Scan): Promise<boolean> => {
    if (mode === 'poll') return false;
    const wanted = new Map<string, StatSignature>();
    const pace = new DiskPace();
    for (const root of scan.roots) {
      for (const [path, signature] of foldersOf(root)) {
        if (signature !== null && (folderByFolder || path === root.root.path)) wanted.set(path, signature);
        if (pace.isSliceOver) await pace.rest();
      }
    }
    for (const [path, { folder }] of watchers) {
      if (doubtful.has(path) || !isSameFolder(folder, wanted.get(path))) unwatch(path);
      if (pace.isSliceOver) await pace.rest();
    }
    let more = false;
    for (const [path, folder] of wanted) {
      // Whoever subscribed may have left meanwhile.
      if (ended) return false;
      // One that cannot be watched is polled, and is no reason to look again at once.
      if (!watchers.has(path) && watchFolder(path, folder)) more = true;
      if (pace.isSliceOver) await pace.rest();
    }
    return more && !ended;
  };

  /** Whether the path of a root leads elsewhere now, which its watcher is not told. */
  const isRootReplaced = async (): Promise<boolean> => {
    const replaced = await Promise.all(
      [...rootPaths].map(async (path) => {
        const now = await stat(path).then(
          (stats) => statSignature(stats, Date.now()),
          () => undefined,
        );
        const watched = watchers.get(path)?.folder;
        return watched !== undefined && !isSameFolder(watched, now);
      }),
    );
    return replaced.includes(true);
  };

  const look = async (): Promise<void> => {
    if (ended || refreshing) return;
    refreshing = true;
    const noticedSomething = burstBegan !== null;
    burstBegan = null;
    try {
      let scan = await index.refresh(undefined);
      // What came between the look and the watching is found by looking again.
      while (!ended && (await follow(scan))) scan = await index.refresh(undefined);
      const changed = noticedSomething || (seen === null ? changedSince(scan, startedAt) : scan.generation !== seen.generation);
      seen = scan;
      if (!ended && changed) tell();
    } catch (error) {
      // Nothing to tell: the source cannot answer, and says so to whoever asks. Polling goes on.
      if (!ended && !SkillError.isInstance(error)) throw error;
    } finally {
      refreshing = false;
      if (burstBegan !== null) noticed();
    }
  };

  const noticed = (): void => {
    if (ended) return;
    index.invalidate();
    const now = performance.now();
    burstBegan ??= now;
    if (refreshing) return;
    clearTimeout(quiet);
    const rest = Math.max(0, burstBegan + debounceMs * longestBurst - now);
    quiet = setTimeout(() => void look(), Math.min(debounceMs, rest)).unref();
  };

  const isEverythingWatched = (): boolean =>
    mode === 'auto' &&
    seen !== null &&
    seen.roots.every(
      (root) => root.directories.size > 0 && (!folderByFolder || [...foldersOf(root)].every(([path]) => watchers.has(path))),
    );

  const pollOnce = async (): Promise<void> => {
    if (burstBegan !== null || (isEverythingWatched() && !(await isRootReplaced()))) return;
    await look();
  };
  // Polling faster than this would report one burst of changes several times.
  const poll = setInterval(() => void pollOnce(), Math.max(pollMs, debounceMs)).unref();
  index.watched = true;
  void look();

  return {
    end() {
      ended = true;
      index.watched = false;
      clearTimeout(quiet);
      clearInterval(poll);
      for (const path of watchers.keys()) unwatch(path);
    },
  };
}

function changedSince(scan: Scan, time: number): boolean {
  for (const root of scan.roots) {
    for (const [, signature] of foldersOf(root)) if (isSince(signature, time)) return true;
    if (root.records.some(({ signature }) => isSince(signature, time))) return true;
  }
  return false;
}

function watchDegraded(why: string, { watch: { pollMs } }: FileSystemSettings): SkillDiagnostic {
  return {
    code: 'watch-degraded',
    severity: 'info',
    message: `Not every folder can be watched (${why}), so the disk is looked at every ${pollMs} ms.`,
    fix: 'Raise the limit that the operating system names, name narrower roots, or set watch.mode to poll.',
  };
}
