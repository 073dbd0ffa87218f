/** A map as an object without a prototype, because the keys come from others. */
export function recordOf<Value>(map: ReadonlyMap<string, Value>): Record<string, Value> {
  const record = Object.create(null) as Record<string, Value>;
  for (const [key, value] of map) record[key] = value;
  return record;
}
