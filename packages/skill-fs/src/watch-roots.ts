import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import type { FileDigests } from './file-digests.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import type { SkillIndex } from './skill-index.ts';
import type { ResolvedSkillRoot } from './skill-roots.ts';
import { WatchSession } from './watch-session.ts';

/** Tells subscribers of changes below the roots. */
export interface RootWatcher {
  subscribe(onChange: () => void): () => void;
  /** Somebody calls the provider: watching begins when that is answered. */
  postpone(): void;
  /** Whether something is noticed only by polling, and why. The same object each time. */
  readonly diagnostic: () => SkillDiagnostic | null;
  close(): void;
}

/** Watches while somebody is subscribed. Looks at the disk first, then notifies. */
export function watchRoots(
  index: SkillIndex,
  roots: readonly ResolvedSkillRoot[],
  settings: FileSystemSettings,
  digests: FileDigests | null,
): RootWatcher {
  const subscribers = new Set<{ readonly onChange: () => void }>();
  let session: WatchSession | null = null;
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
      session ??= new WatchSession(index, roots, settings, digests, {
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

    postpone: () => session?.postpone(),

    diagnostic: () => degraded,

    close() {
      closed = true;
      subscribers.clear();
      session?.end();
      session = null;
    },
  };
}

function watchDegraded(why: string, { watch: { pollMs } }: FileSystemSettings): SkillDiagnostic {
  return {
    code: 'watch-degraded',
    severity: 'info',
    message: `Not every folder can be watched (${why}), so the disk is looked at every ${pollMs} ms.`,
    fix: 'Raise the limit that the operating system names, name narrower roots, or set watch.mode to poll.',
  };
}
