import { SkillError } from '@repertoire/skills-core';
import { abortable } from '@repertoire/skills-core/provider';
import type { DiskPace } from './disk-pace.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { scanRoots, type Scan } from './scan-roots.ts';
import type { ResolvedSkillRoot } from './skill-roots.ts';

interface Started {
  readonly order: number;
  readonly startedAt: number;
}

interface Flight extends Started {
  readonly result: Promise<Scan>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * What the roots hold, kept for as long as the settings allow. Callers share one scan if it is
 * young enough for them. An abort ends one caller's wait; a scan without callers is given up.
 */
export class SkillIndex {
  readonly #roots: readonly ResolvedSkillRoot[];
  readonly #settings: FileSystemSettings;
  readonly #pace: DiskPace;
  /** Counts calls and scans, and so tells which came first; the clock may stand still. */
  #order = 0;
  #invalidatedAt = 0;
  #asked = 0;
  #closed = false;
  #kept: (Started & { readonly scan: Scan }) | null = null;
  #flight: Flight | null = null;
  /** Whether somebody wants to hear of changes in folders of resources as well. */
  watched = false;

  constructor(roots: readonly ResolvedSkillRoot[], settings: FileSystemSettings, pace: DiskPace) {
    this.#roots = roots;
    this.#settings = settings;
    this.#pace = pace;
  }

  /** How often a look was requested: what was read before the last one may be out of date. */
  get asked(): number {
    return this.#asked;
  }

  /** A scan no older than `staleAfterMs`. */
  async current(signal: AbortSignal | undefined): Promise<Scan> {
    return await this.#scanSince((this.#order += 1), true, signal);
  }

  /** A scan that begins now, or begins while this call waits. */
  async refresh(signal: AbortSignal | undefined): Promise<Scan> {
    this.#asked += 1;
    return await this.#scanSince((this.#order += 1), false, signal);
  }

  /** The last scan, however old. */
  latest(): Scan | null {
    return this.#kept?.scan ?? null;
  }

  /** Makes the next `current` look at the disk. */
  invalidate(): void {
    this.#asked += 1;
    this.#order += 1;
    this.#invalidatedAt = this.#order;
  }

  /** Ends what is going on; calls after it reject. */
  close(): void {
    this.#closed = true;
    this.#flight?.controller.abort(disposed(this.#settings.label));
  }

  async #scanSince(since: number, mayBeKept: boolean, signal: AbortSignal | undefined): Promise<Scan> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#closed) throw disposed(this.#settings.label);
      const kept = this.#kept;
      if (kept !== null && (kept.order > since || (mayBeKept && this.#isYoung(kept)))) return kept.scan;
      const shared = (this.#flight ??= this.#takeOff());
      const scan = await this.#ride(shared, signal);
      if (this.#closed) throw disposed(this.#settings.label);
      if (shared.order > since || (mayBeKept && this.#isYoung(shared))) return scan;
    }
  }

  #isYoung({ order, startedAt }: Started): boolean {
    const age = this.#settings.now() - startedAt;
    // A clock that was set back proves nothing.
    return order > this.#invalidatedAt && age >= 0 && age < this.#settings.staleAfterMs;
  }

  #takeOff(): Flight {
    const controller = new AbortController();
    this.#order += 1;
    const started = { order: this.#order, startedAt: this.#settings.now() };
    const scan = scanRoots(this.#roots, this.#settings, this.latest(), this.watched, this.#pace, controller.signal);
    const result = scan
      .then((found) => {
        if (this.#kept === null || this.#kept.order < started.order) this.#kept = { scan: found, ...started };
        return found;
      })
      .finally(() => {
        if (this.#flight === flight) this.#flight = null;
      });
    const flight: Flight = { ...started, result, controller, waiting: 0 };
    return flight;
  }

  async #ride(shared: Flight, signal: AbortSignal | undefined): Promise<Scan> {
    shared.waiting += 1;
    try {
      return await abortable(() => shared.result, signal);
    } finally {
      shared.waiting -= 1;
      if (shared.waiting === 0 && this.#flight === shared) {
        this.#flight = null;
        shared.controller.abort();
      }
    }
  }
}

function disposed(label: string): SkillError {
  return new SkillError('source-unavailable', `[skill-fs] Source "${label}" was disposed. Make a new one with fileSystemSkillProvider.`, {
    source: label,
  });
}
