/** What was called with a signal, and what without it. */
export interface WatchedSignals {
  readonly signal: AbortSignal;
  readonly calls: Set<string>;
  /** Calls that did not get the signal: `getSkill billing`. */
  readonly without: string[];
  /** The same object, whose methods are watched. */
  watch<Watched extends object>(watched: Watched): Watched;
}

/** Watches whether each call of objects gets one signal, in its last argument. */
export function watchSignals(): WatchedSignals {
  const { signal } = new AbortController();
  const [calls, without]: [Set<string>, string[]] = [new Set(), []];
  const watch = <Watched extends object>(watched: Watched): Watched =>
    new Proxy(watched, {
      get: (object, key) => {
        const value: unknown = Reflect.get(object, key);
        if (typeof value !== 'function') return value;
        return (...given: readonly unknown[]) => {
          calls.add(String(key));
          if ((given.at(-1) as { signal?: unknown } | undefined)?.signal !== signal) without.push(`${String(key)} ${String(given[0])}`);
          return Reflect.apply(value, object, given) as unknown;
        };
      },
    });
  return { signal, calls, without, watch };
}
