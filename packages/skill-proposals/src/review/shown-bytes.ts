import { decodeText, mediaTypeOf, sha256Hex } from '@repertoire/skills-core/provider';
import { textOf } from '../proposal/apply-change.ts';

/** Media types that no model and no shell reads as text, whatever the bytes are. */
const neverText = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip|x-tar|vnd\.))/;
/** Of the characters of bytes without a type, at most this share may be unreadable. */
const mostUnreadable = 0.25;

/**
 * A file as a reviewer has to see it: its text, or a line with size, type and digest for what is
 * none. NUL makes a text no binary file, and neither does one wrong byte: shells and models read
 * on behind both.
 */
export async function shownBytes(path: string, bytes: Uint8Array): Promise<{ readonly text: string } | { readonly about: string }> {
  const text = textOf(bytes) ?? decodeText(bytes);
  if (text !== null) return { text };
  const type = mediaTypeOf(path);
  const read = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const isText =
    path === 'SKILL.md' || (!neverText.test(type) && (type !== 'application/octet-stream' || unreadable(read) <= mostUnreadable));
  return isText ? { text: read } : { about: `${bytes.length} bytes that are no text, ${type}, sha256 ${await sha256Hex(bytes)}` };
}

function unreadable(text: string): number {
  return (text.match(/[\0-\x08\x0E-\x1F\uFFFD]/g)?.length ?? 0) / text.length;
}
