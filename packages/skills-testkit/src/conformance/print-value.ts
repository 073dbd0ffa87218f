const hexOfByte: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Prints data so that equal data print alike: sorted keys, no `undefined`, bytes in hex whatever
 * their class.
 */
export function printValue(value: unknown): string {
  if (ArrayBuffer.isView(value)) return printBytes(value);
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`;
  if (value instanceof Error) return `${value.name}(${value.message})`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .filter(([, child]) => child !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, child]) => `${JSON.stringify(key)}: ${printValue(child)}`).join(', ')}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function printBytes(view: ArrayBufferView): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  let hex = '';
  for (const byte of bytes) hex += hexOfByte[byte];
  return `bytes(${bytes.length}: ${hex})`;
}
