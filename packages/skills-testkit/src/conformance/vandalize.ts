/**
 * Does to data everything that a careless caller could do: overwrites bytes and values at every
 * depth, adds keys, empties lists. Frozen data are not changed.
 */
export function vandalize(value: unknown): void {
  if (value instanceof Uint8Array) {
    value.fill(0xaa);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    vandalize(child);
    // `Reflect.set` returns false for a frozen property; an assignment would throw.
    if (typeof child !== 'object') Reflect.set(value, key, 'vandalized');
  }
  if (Array.isArray(value)) Reflect.set(value, 'length', 0);
  else Reflect.set(value, 'vandalized', 'yes');
}
