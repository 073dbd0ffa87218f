/**
 * Freezes plain data at every depth and returns it, for providers: frozen answers can be shared by
 * all callers, and returning the same object again lets the core memoize what it derives from it.
 * Bytes cannot be frozen; give each caller a copy of those.
 */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) value.forEach(deepFreeze);
  else {
    for (const key in value) {
      const inner = value[key];
      // Most are texts, of which a start would look at ten thousands.
      if (typeof inner === 'object') deepFreeze(inner);
    }
  }
  return Object.freeze(value);
}
