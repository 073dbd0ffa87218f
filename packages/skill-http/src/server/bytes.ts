/** How many bytes several parts have. */
export function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** Several parts as one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(lengthOf(parts));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
