const maxCalls = 10_000;

/** Guarded calls until the next step shows their results. */
export interface GuardedCalls {
  add(tool: string, toolCallId: string): void;
  /** Whether such a call went through the guard. Each call answers for one result. */
  take(tool: string, toolCallId: string): boolean;
}

/**
 * Counts calls by their ids, because conversations that share one `aiSdkSkills` may use the same
 * ids. A call without a next step, such as an aborted one, stays; of those the oldest are
 * forgotten.
 */
export function guardedCalls(): GuardedCalls {
  const counts = new Map<string, number>();
  const keyOf = (tool: string, toolCallId: string) => JSON.stringify([tool, toolCallId]);
  return {
    add(tool, toolCallId) {
      const key = keyOf(tool, toolCallId);
      const count = counts.get(key) ?? 0;
      // The newest stand at the end.
      counts.delete(key);
      counts.set(key, count + 1);
      const [oldest] = counts.keys();
      if (counts.size > maxCalls && oldest !== undefined) counts.delete(oldest);
    },
    take(tool, toolCallId) {
      const key = keyOf(tool, toolCallId);
      const count = counts.get(key) ?? 0;
      if (count > 1) counts.set(key, count - 1);
      else counts.delete(key);
      return count > 0;
    },
  };
}
