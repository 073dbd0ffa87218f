const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes as base64. The sandbox of Temporal has neither `btoa` nor `Buffer`. */
export function textOfBytes(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = bytes.subarray(at, at + 3);
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    const letters = [18, 12, 6, 0].map((shift) => alphabet[(bits >> shift) & 63]);
    parts.push(letters.slice(0, 2).join('') + (second === undefined ? '=' : letters[2]) + (third === undefined ? '=' : letters[3]));
  }
  return parts.join('');
}

/** The bytes of a base64 text. */
export function bytesOfText(text: string): Uint8Array {
  const letters = text.replaceAll('=', '');
  const bytes = new Uint8Array(Math.floor((letters.length * 3) / 4));
  let bits = 0;
  let at = 0;
  for (let index = 0; index < letters.length; index += 1) {
    bits = ((bits << 6) | alphabet.indexOf(letters[index] ?? 'A')) & 0xffffff;
    if (index % 4 === 0) continue;
    bytes[at] = (bits >> (2 * (3 - (index % 4)))) & 255;
    at += 1;
  }
  return bytes;
}
