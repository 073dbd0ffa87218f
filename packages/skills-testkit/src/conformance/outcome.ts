/** How a call ended. */
export type Outcome<Value> =
  | { readonly kind: 'resolved'; readonly value: Value }
  | { readonly kind: 'rejected'; readonly error: unknown }
  /** Thrown at the call, before there was a promise: no provider may do that. */
  | { readonly kind: 'thrown'; readonly error: unknown };

/** Makes a call and waits for its end, whatever it is. The call is made at once, not a turn later. */
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

/** Waits for something that must come, and gives up after `patience` milliseconds. A promise that settles in time costs no wait. */
export async function within<Value>(promise: Promise<Value>, patience: number, what: string): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what}: did not come within ${patience} ms.`)), patience);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
