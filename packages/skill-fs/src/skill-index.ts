import { SkillError } from '@repertoire/skills-core';
import { abortable } from '@repertoire/skills-core/provider';
import type { DiskReader } from './disk-steps.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { scanRoots, type Scan } from './scan-roots.ts';
import type { ResolvedSkillRoot } from './skill-roots.ts';

/** What the roots hold, kept for as long as the settings allow. */
export interface SkillIndex {
  /** A scan no older than `staleAfterMs`. */
  current(signal: AbortSignal | undefined): Promise<Scan>;
  /** A scan that begins now, or begins while this call waits. */
  refresh(signal: AbortSignal | undefined): Promise<Scan>;
  /** The last scan, however old. */
  latest(): Scan | null;
  /** Makes the next `current` look at the disk. */
  invalidate(): void;
  /** How often a look was requested: what was read before the last one may be out of date. */
  readonly asked: number;
  /** Whether somebody wants to hear of changes in folders of resources as well. */
  watched: boolean;
  /** Ends what is going on; calls after it reject. */
  close(): void;
}

interface Flight {
  readonly order: number;
  readonly startedAt: number;
  readonly result: Promise<Scan>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Shares one scan between callers if it is young enough for them. An abort ends one caller's wait;
 * a scan without callers is given up.
 */
export function createSkillIndex(
  roots: readonly ResolvedSkillRoot[],
  settings: FileSystemSettings,
  reader: Pick<DiskReader, 'noteAnswer'>,
): SkillIndex {
  // Counts calls and scans, and so tells which came first; the clock may stand still.
  let order = 0;
  let invalidatedAt = 0;
  let asked = 0;
  let closed = false;
  let kept: { readonly scan: Scan; readonly order: number; readonly startedAt: number } | null = null;
  let flight: Flight | null = null;

  const isYoung = (scan: { readonly order: number; readonly startedAt: number }): boolean => {
    const age = settings.now() - scan.startedAt;
    // A clock that was set back proves nothing.
    return scan.order > invalidatedAt && age >= 0 && age < settings.staleAfterMs;
  };

  const takeOff = (): Flight => {
    const controller = new AbortController();
    order += 1;
    const started = { order, startedAt: settings.now() };
    const result = scanRoots(roots, settings, kept?.scan ?? null, index.watched, controller.signal).then(
      (scan) => {
        reader.noteAnswer();
        if (kept === null || kept.order < started.order) kept = { scan, ...started };
        if (flight === self) flight = null;
        return scan;
      },
      (error: unknown) => {
        if (flight === self) flight = null;
        throw error;
      },
    );
    const self: Flight = { ...started, result, controller, waiting: 0 };
    return self;
  };

  const ride = async (shared: Flight, signal: AbortSignal | undefined): Promise<Scan> => {
    shared.waiting += 1;
    try {
      return await abortable(() => shared.result, signal);
    } finally {
      shared.waiting -= 1;
      if (shared.waiting === 0 && flight === shared) {
        flight = null;
        shared.controller.abort();
      }
    }
  };

  const scanSince = async (since: number, mayBeKept: boolean, signal: AbortSignal | undefined): Promise<Scan> => {
    for (;;) {
      signal?.throwIfAborted();
      if (closed) throw disposed(settings.label);
      if (kept !== null && (kept.order > since || (mayBeKept && isYoung(kept)))) return kept.scan;
      flight ??= takeOff();
      const shared = flight;
      const scan = await ride(shared, signal);
      if (closed) throw disposed(settings.label);
      if (shared.order > since || (mayBeKept && isYoung(shared))) return scan;
    }
  };

  const index: SkillIndex = {
    get asked() {
      return asked;
    },
    watched: false,
    current: (signal) => scanSince((order += 1), true, signal),
    refresh: (signal) => {
      asked += 1;
      return scanSince((order += 1), false, signal);
    },
    latest: () => kept?.scan ?? null,
    invalidate: () => {
      asked += 1;
      order += 1;
      invalidatedAt = order;
    },
    close: () => {
      closed = true;
      flight?.controller.abort(disposed(settings.label));
    },
  };
  return index;
}

function disposed(label: string): SkillError {
  return new SkillError('source-unavailable', `[skill-fs] Source "${label}" was disposed. Make a new one with fileSystemSkillProvider.`, {
    source: label,
  });
}
