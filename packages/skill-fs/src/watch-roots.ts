import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import type { DiskPace } from './disk-pace.ts';
import type { DiskThread } from './disk-thread.ts';
import type { FileDigests } from './file-digests.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import type { SkillIndex } from './skill-index.ts';
import type { ResolvedSkillRoot } from './skill-roots.ts';
import { WatchSession } from './watch-session.ts';

/** Watches while somebody is subscribed. Looks at the disk first, then notifies. */
export class RootWatcher {
  readonly #index: SkillIndex;
  readonly #roots: readonly ResolvedSkillRoot[];
  readonly #settings: FileSystemSettings;
  readonly #digests: FileDigests | null;
  readonly #pace: DiskPace;
  readonly #subscribers = new Set<{ readonly onChange: () => void }>();
  #session: WatchSession | null = null;
  /** Where the roots are watched instead: a slow disk is looked at by a thread alone. */
  #thread: DiskThread | null = null;
  #closed = false;
  /** Whether something is noticed only by polling, and why. The same object each time. */
  diagnostic: SkillDiagnostic | null = null;

  constructor(
    index: SkillIndex,
    roots: readonly ResolvedSkillRoot[],
    settings: FileSystemSettings,
    digests: FileDigests | null,
    pace: DiskPace,
  ) {
    this.#index = index;
    this.#roots = roots;
    this.#settings = settings;
    this.#digests = digests;
    this.#pace = pace;
  }

  subscribe(onChange: () => void): () => void {
    if (this.#closed) {
      throw new SkillError(
        'source-unavailable',
        `[skill-fs] Source "${this.#settings.label}" was disposed. Make a new one with fileSystemSkillProvider.`,
        { source: this.#settings.label },
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
      this.#session ??= new WatchSession(this.#index, this.#roots, this.#settings, this.#digests, this.#pace, {
        tell: () => this.#tell(),
        degrade: (why) => {
          this.diagnostic ??= watchDegraded(why, this.#settings);
        },
      });
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
