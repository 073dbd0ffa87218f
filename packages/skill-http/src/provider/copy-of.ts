/** A copy that owes nothing to the original. A plain walk, since `structuredClone` takes ten times as long for objects as small as these. */
export function copyOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf) as Value;
  // Spreading makes an own field of `__proto__`, and assigning to an own field stays there.
  const result: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  for (const key of Object.keys(result)) {
    if (typeof result[key] === 'object') result[key] = copyOf(result[key]);
  }
  return result as Value;
}
