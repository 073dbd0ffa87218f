import { concatBytes } from '@repertoire/skills-core/internal';
import type { Bytes } from './bytes.ts';
import { refuse } from '../problem/refusal.ts';

export interface DerElement {
  readonly tag: number;
  readonly body: Uint8Array;
  /** Tag, length and content. */
  readonly raw: Uint8Array;
}

/** Tags of the elements that certificates and keys consist of. */
export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Lengths of more than three bytes (16 MiB) do not occur in certificates. */
const maxLengthBytes = 3;

/**
 * Reads the element that fills the bytes exactly. It accepts DER only: definite lengths in their
 * shortest form, one-byte tags, no trailing bytes. Other parsers ignore trailing bytes, so two
 * files could have the same meaning.
 */
export function readDer(bytes: Uint8Array): DerElement {
  const element = elementAt(bytes, 0);
  if (element.raw.length !== bytes.length) refuse('certificate-malformed', 'A DER structure has bytes behind its end.');
  return element;
}

/** Reads the children of a constructed element, one level only. */
export function readChildren(element: DerElement | undefined, tag: number = derTag.sequence): DerElement[] {
  const { body } = expectTag(element, tag);
  const children: DerElement[] = [];
  for (let at = 0; at < body.length;) {
    const child = elementAt(body, at);
    children.push(child);
    at += child.raw.length;
  }
  return children;
}

export function expectTag(element: DerElement | undefined, tag: number): DerElement {
  if (element === undefined) refuse('certificate-malformed', 'A DER structure lacks an element.');
  if (element.tag !== tag) refuse('certificate-malformed', `A DER element has tag ${element.tag} in place of ${tag}.`);
  return element;
}

/** Reads an object identifier, in dotted form. */
export function readObjectIdentifier(element: DerElement | undefined): string {
  const { body } = expectTag(element, derTag.objectIdentifier);
  const arcs: number[] = [];
  let arc = 0;
  let isFirstByte = true;
  for (const byte of body) {
    if (isFirstByte && byte === 0x80) refuse('certificate-malformed', 'An object identifier is not in its shortest form.');
    arc = arc * 128 + (byte & 0x7f);
    if (arc > Number.MAX_SAFE_INTEGER / 256) refuse('certificate-malformed', 'An object identifier has a number that is too large.');
    isFirstByte = (byte & 0x80) === 0;
    if (isFirstByte) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [first] = arcs;
  if (first === undefined || !isFirstByte) refuse('certificate-malformed', 'An object identifier is cut short.');
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...arcs.slice(1)].join('.');
}

/** Reads a bit string: its bytes, and how many bits of the last one are unused. */
export function readBitString(element: DerElement | undefined): { readonly bytes: Uint8Array; readonly unusedBits: number } {
  const { body } = expectTag(element, derTag.bitString);
  const [unusedBits = 8] = body;
  const last = body.length > 1 ? (body.at(-1) ?? 0) : 0;
  if (unusedBits > 7 || (body.length === 1 && unusedBits > 0) || (last & ((1 << unusedBits) - 1)) !== 0)
    refuse('certificate-malformed', 'A bit string is malformed.');
  return { bytes: body.subarray(1), unusedBits };
}

/** Reads the bytes of a bit string that consists of whole bytes: keys and signatures. */
export function readBitStringBytes(element: DerElement | undefined): Uint8Array {
  const { bytes, unusedBits } = readBitString(element);
  if (unusedBits !== 0) refuse('certificate-malformed', 'A key or signature does not consist of whole bytes.');
  return bytes;
}

export function readBoolean(element: DerElement | undefined): boolean {
  const { body } = expectTag(element, derTag.boolean);
  const [value] = body;
  if (body.length !== 1 || (value !== 0 && value !== 0xff)) refuse('certificate-malformed', 'A boolean is malformed.');
  return value === 0xff;
}

/** Reads the bytes of a minimal, non-negative integer, without the leading zero. */
export function readUnsignedInteger(element: DerElement | undefined): Uint8Array {
  const { body } = expectTag(element, derTag.integer);
  const [first = 0x80, second = 0] = body;
  if ((first & 0x80) !== 0 || (first === 0 && body.length > 1 && (second & 0x80) === 0))
    refuse('certificate-malformed', 'An integer is negative or not in its shortest form.');
  return first === 0 ? body.subarray(1) : body;
}

/** Writes an element of less than 64 KiB. */
export function writeDer(tag: number, parts: readonly Uint8Array[]): Bytes {
  const body = concatBytes(parts);
  const { length } = body;
  const header = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return concatBytes([Uint8Array.from([tag, ...header]), body]);
}

function elementAt(bytes: Uint8Array, at: number): DerElement {
  const [tag, short] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || short === undefined) return refuse('certificate-malformed', 'A DER structure is cut short.');
  if ((tag & 0x1f) === 0x1f) refuse('certificate-malformed', 'A DER tag is longer than one byte.');
  const lengthBytes = short < 0x80 ? 0 : short & 0x7f;
  const length = short < 0x80 ? short : readLength(bytes.subarray(at + 2, at + 2 + lengthBytes), lengthBytes);
  const start = at + 2 + lengthBytes;
  if (start + length > bytes.length) refuse('certificate-malformed', 'A DER element is longer than what holds it.');
  return { tag, body: bytes.subarray(start, start + length), raw: bytes.subarray(at, start + length) };
}

function readLength(bytes: Uint8Array, count: number): number {
  if (count === 0 || count > maxLengthBytes || bytes.length !== count)
    refuse('certificate-malformed', 'A DER length is indefinite, too long or cut short.');
  const length = bytes.reduce((value, byte) => value * 256 + byte, 0);
  if (length < 0x80 || bytes[0] === 0) refuse('certificate-malformed', 'A DER length is not in its shortest form.');
  return length;
}
