import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import type { Bytes } from '../encoding/bytes.ts';

/** Decodes blocks of PEM text with this label; `null` if one is not base64. */
export function decodePem(text: string, label: string): Bytes[] | null {
  const blocks: Bytes[] = [];
  const [begin, end] = [`-----BEGIN ${label}-----`, `-----END ${label}-----`];
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, at + 1)) {
    const stop = text.indexOf(end, at);
    const bytes = stop === -1 ? null : decodeBase64(text.slice(at + begin.length, stop).replaceAll(/\s+/g, ''));
    if (bytes === null) return null;
    blocks.push(bytes);
  }
  return blocks;
}

/** Encodes as PEM, in lines of 64 characters with a final line end, as key hints need it. */
export function encodePem(bytes: Uint8Array, label: string): string {
  const lines = encodeBase64(bytes).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
