/**
 * The result of a tool. One that streams yields what it has so far; the last value is its result.
 */
export async function lastOf(result: unknown): Promise<unknown> {
  const value: unknown = await result;
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return value;
  let last: unknown;
  for await (const item of value as AsyncIterable<unknown>) last = item;
  return last;
}
