/**
 * Where questions and answers are kept: JSON texts by keys of up to 64 letters, digits, `-` and
 * `_`. Only the host may write to it. What is missing or damaged counts as no answer, so that a
 * person is asked again.
 */
export interface SkillApprovalStore {
  /** The text, or what it parses to. */
  get(key: string): unknown;
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
  /**
   * Reads and deletes in one step: of several takers at once, in whatever process, one gets the
   * text. In SQL it is `delete … returning value`.
   */
  take(key: string): unknown;
  /** Keys that begin so, for the inbox of staff. @default staff cannot be asked */
  keys?(prefix: string): Iterable<string> | Promise<Iterable<string>>;
}

const maxInMemory = 10_000;

/**
 * Keeps questions and answers until the process ends; when it is full, the oldest are forgotten.
 */
export function approvalsInMemory(): SkillApprovalStore {
  const texts = new Map<string, string>();
  const take = (key: string): string | undefined => {
    const text = texts.get(key);
    texts.delete(key);
    return text;
  };
  return {
    get: (key) => texts.get(key),
    set(key, value) {
      texts.delete(key);
      texts.set(key, value);
      const [oldest] = texts.keys();
      if (texts.size > maxInMemory && oldest !== undefined) texts.delete(oldest);
    },
    delete: take,
    take,
    keys: (prefix) => [...texts.keys()].filter((key) => key.startsWith(prefix)),
  };
}
