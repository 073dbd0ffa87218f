/** Bytes with an `ArrayBuffer` of their own, which Web Crypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The bytes with the type that Web Crypto requires. The platform itself rejects shared memory. */
export function asBytes(bytes: Uint8Array): Bytes {
  return bytes as Bytes;
}

/** Whether byte strings are equal. Not constant-time: use it for public values only. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Decodes lower-case hex of even length. The caller has checked it. */
export function fromHex(hex: string): Bytes {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
}
