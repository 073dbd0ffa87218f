const [shortestMs, longestMs] = [50, 2_000];
/** A look may take a twentieth of the time. */
const restForOne = 20;

/**
 * Implements `watch` by polling. While somebody watches, it looks as often as listings become
 * stale, at least every two seconds, and less often if looking takes more than a twentieth of the
 * time.
 *
 * @param look returns the state as a text; a change of the text is a change of the source
 */
export function watchByLooking(look: () => Promise<string>, everyMs: number): (onChange: () => void) => () => void {
  const watchers = new Set<{ readonly onChange: () => void }>();
  let seen: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The current round. A round that began for earlier watchers ends without a notice. */
  let round: object | null = null;

  const lookAgain = async (mine: object): Promise<void> => {
    const began = performance.now();
    try {
      const now = await look();
      if (round !== mine) return;
      const isChange = seen !== null && seen !== now;
      seen = now;
      // Each in a microtask of its own, so that a watcher that throws does not stop the others.
      if (isChange) for (const { onChange } of watchers) queueMicrotask(onChange);
    } catch {
      // Callers of the source get the error. Changes are noticed once it answers again.
    } finally {
      if (round === mine) {
        const rest = Math.max(shortestMs, Math.min(everyMs, longestMs), (performance.now() - began) * restForOne);
        const next: unknown = (timer = setTimeout(() => void lookAgain(mine), rest));
        // Watching must not keep the process alive.
        if (typeof next === 'object' && next !== null && 'unref' in next && typeof next.unref === 'function') next.unref();
      }
    }
  };

  return (onChange) => {
    const watcher = { onChange };
    watchers.add(watcher);
    if (round === null) {
      seen = null;
      round = {};
      void lookAgain(round);
    }
    return () => {
      if (!watchers.delete(watcher) || watchers.size > 0) return;
      round = null;
      clearTimeout(timer);
    };
  };
}
