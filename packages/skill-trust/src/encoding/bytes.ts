/** Bytes that own an `ArrayBuffer`, which Web Crypto asks for. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The bytes as Web Crypto's types want them. Shared memory is refused by the platform itself. */
export function asBytes(bytes: Uint8Array): Bytes {
  return bytes as Bytes;
}

/** Whether two byte strings are equal. The time it takes depends on the content: use it for public values only. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Joins byte strings. */
export function concatBytes(parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes of lower-case hex of even length, which the caller checked. */
export function fromHex(hex: string): Bytes {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
}
