/** How a call ended. */
export type Outcome<Value> =
  | { readonly kind: 'resolved'; readonly value: Value }
  | { readonly kind: 'rejected'; readonly error: unknown }
  /** Thrown synchronously, before there was a promise. No provider may do that. */
  | { readonly kind: 'thrown'; readonly error: unknown };

/** Makes a call immediately and waits for its end, whatever it is. */
export function outcomeOf<Value>(call: () => Promise<Value>): Promise<Outcome<Value>> {
  let promise: Promise<Value>;
  try {
    promise = call();
  } catch (error) {
    return Promise.resolve({ kind: 'thrown', error });
  }
  return Promise.resolve(promise).then(
    (value) => ({ kind: 'resolved', value }) as const,
    (error: unknown) => ({ kind: 'rejected', error }) as const,
  );
}

/**
 * Waits for something that must happen, for at most `patience` milliseconds. A promise that settles
 * in time causes no delay.
 */
export async function within<Value>(promise: Promise<Value>, patience: number, what: string): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what}: did not come within ${patience} ms.`)), patience);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
