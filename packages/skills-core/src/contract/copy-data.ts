/**
 * A copy of plain data. It is `structuredClone`, or the same by hand in the sandbox of Temporal,
 * which has none.
 *
 * @throws {Error} for what is no data, such as a function
 */
export function copyData<Value>(value: Value): Value {
  return typeof structuredClone === 'function' ? structuredClone(value) : (copied(value) as Value);
}

function copied(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError(`${typeof value}s cannot be copied.`);
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copied(inner)]));
}
