/**
 * Freezes plain data at every depth and returns it, for providers: frozen answers can be shared by
 * all callers, and returning the same object again lets the core memoize what it derives from it.
 * Bytes cannot be frozen; give each caller a copy of those.
 */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) value.forEach(deepFreeze);
  else for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}
