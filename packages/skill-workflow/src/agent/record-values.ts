/**
 * Converts what a step returns to JSON, which every engine can record. Bytes, dates and addresses
 * keep their kind; what is `undefined` is left out, and `null` stands for a value that is not
 * there.
 */
export function toRecord(value: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof Uint8Array) return { $bytes: textOfBytes(value) };
  // An invalid date has no text.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : { $date: value.toISOString() };
  if (value instanceof URL) return { $url: value.href };
  if (Array.isArray(value)) return value.map(toRecord);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && typeof field !== 'function');
  // Escapes keys that look like ours.
  return Object.fromEntries(fields.map(([key, field]) => [key.startsWith('$') ? `$${key}` : key, toRecord(field)]));
}

export function fromRecord(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromRecord);
  if (typeof value !== 'object' || value === null) return value;
  const { $bytes, $date, $url } = value as { readonly [key: string]: unknown };
  if (typeof $bytes === 'string') return bytesOfText($bytes);
  if (typeof $date === 'string') return new Date($date);
  if (typeof $url === 'string') return new URL($url);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key.startsWith('$') ? key.slice(1) : key, fromRecord(field)]));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const valueOf = new Uint8Array(128);
for (let value = 0; value < alphabet.length; value += 1) valueOf[alphabet.charCodeAt(value)] = value;

/** Encodes bytes as base64. The sandbox of Temporal has neither `btoa` nor `Buffer`. */
export function textOfBytes(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = (byteAt(bytes, at) << 16) | (byteAt(bytes, at + 1) << 8) | byteAt(bytes, at + 2);
    text += letterOf(bits >> 18) + letterOf(bits >> 12);
    text += at + 1 < bytes.length ? letterOf(bits >> 6) : '=';
    text += at + 2 < bytes.length ? letterOf(bits) : '=';
  }
  return text;
}

export function bytesOfText(text: string): Uint8Array {
  let { length } = text;
  while (length > 0 && text[length - 1] === '=') length -= 1;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let bits = 0;
  let at = 0;
  for (let index = 0; index < length; index += 1) {
    bits = ((bits << 6) | (valueOf[text.charCodeAt(index)] ?? 0)) & 0xffffff;
    if (index % 4 === 0) continue;
    bytes[at] = (bits >> (2 * (3 - (index % 4)))) & 255;
    at += 1;
  }
  return bytes;
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function letterOf(bits: number): string {
  return alphabet[bits & 63] ?? '';
}
