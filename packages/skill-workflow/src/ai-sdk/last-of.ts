/** The result of a tool; of one that streams, the last value. */
export async function lastOf(result: unknown): Promise<unknown> {
  const value: unknown = await result;
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return value;
  let last: unknown;
  for await (const item of value as AsyncIterable<unknown>) last = item;
  return last;
}
