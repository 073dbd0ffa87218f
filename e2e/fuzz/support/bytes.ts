/** UTF-8 of texts. */
export function bytesOf(...texts: readonly string[]): Uint8Array[] {
  return texts.map((text) => new TextEncoder().encode(text));
}

/** Text of bytes; what is no UTF-8 becomes U+FFFD. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** JSON of bytes, or `undefined` where they are none. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    return undefined;
  }
}
