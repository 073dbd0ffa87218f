const [shortestMs, longestMs] = [50, 2_000];
/** A look may take this share of the time: one in twenty. */
const restForOne = 20;

/**
 * The `watch` of a source that can only be looked at again. While somebody watches, it is looked at
 * as often as its listings become stale, at least every two seconds, and never for more than a
 * twentieth of the time.
 *
 * @param look tells the state as a text; a change of that text is a change of the source
 */
export function watchByLooking(look: () => Promise<string>, everyMs: number): (onChange: () => void) => () => void {
  const watchers = new Set<{ readonly onChange: () => void }>();
  let seen: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whose turn it is; a round that began for earlier watchers ends without a word. */
  let round: object | null = null;

  const lookAgain = async (mine: object): Promise<void> => {
    const began = performance.now();
    try {
      const now = await look();
      if (round !== mine) return;
      const isChange = seen !== null && seen !== now;
      seen = now;
      // In a task of its own, so that one that throws does not stop the others.
      if (isChange) for (const { onChange } of watchers) queueMicrotask(onChange);
    } catch {
      // Whoever asks the source gets the error. What changed meanwhile is noticed when it is back.
    } finally {
      if (round === mine) {
        const rest = Math.max(shortestMs, Math.min(everyMs, longestMs), (performance.now() - began) * restForOne);
        const next: unknown = (timer = setTimeout(() => void lookAgain(mine), rest));
        // Watching is no reason to keep a process.
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
