import type { SkillResource } from '../contract/skill-provider.ts';

/** Which lines to show, from 1 and inclusive, and how much at most. */
export interface ResourceTextOptions {
  /** First line to show. @default 1 */
  readonly startLine?: number | undefined;
  /** Last line to show. @default the last that fits */
  readonly endLine?: number | undefined;
  /** Most characters (UTF-16 units) to show. @default 20000 */
  readonly maxCharacters?: number | undefined;
}

/** A resource as text, or why it is none. */
export type ResourceText =
  | { readonly kind: 'binary' }
  | {
      readonly kind: 'text';
      /** The lines asked for, joined by `\n`, cut at `maxCharacters`. */
      readonly text: string;
      /** First and last line of `text`; `endLine` is `startLine - 1` if empty. */
      readonly startLine: number;
      readonly endLine: number;
      /** Lines in the resource, as far as its bytes were read. */
      readonly totalLines: number;
      /** Whether lines follow after `endLine`, or the last one is cut. */
      readonly more: boolean;
      /** The last line shown is longer than fits; the rest of *that line* is not shown. */
      readonly lineCut: boolean;
      /** The bytes were cut before the end of the file, so `totalLines` is a lower bound. */
      readonly bytesCut: boolean;
    };

/** Characters of a text view unless told otherwise: about 5,000 tokens. */
export const defaultMaxResourceCharacters = 20_000;

/**
 * The text view of a resource, the same for every source: UTF-8 (or UTF-16 with a byte order mark)
 * is text, anything else is binary. It is paged by line, never cuts a character in two, and says
 * what it left out.
 */
export function resourceText(resource: SkillResource, options: ResourceTextOptions = {}): ResourceText {
  const bytesCut = resource.size > resource.bytes.length;
  const decoded = decodeText(resource.bytes, bytesCut);
  if (decoded === null) return { kind: 'binary' };
  const lines = splitLines(decoded);
  const totalLines = lines.length;
  const maxCharacters = Math.max(1, options.maxCharacters ?? defaultMaxResourceCharacters);
  const startLine = Math.max(1, Math.floor(options.startLine ?? 1));
  const wantedEnd = Math.min(totalLines, Math.floor(options.endLine ?? totalLines));

  const shown: string[] = [];
  let room = maxCharacters;
  let lineCut = false;
  for (let number = startLine; number <= wantedEnd; number += 1) {
    const line = lines[number - 1] ?? '';
    if (line.length + (shown.length > 0 ? 1 : 0) > room) {
      if (shown.length === 0) {
        shown.push(cutAtCharacter(line, room));
        lineCut = true;
      }
      break;
    }
    room -= line.length + (shown.length > 0 ? 1 : 0);
    shown.push(line);
  }
  const endLine = startLine + shown.length - 1;
  const more = lineCut || endLine < totalLines || bytesCut;
  return { kind: 'text', text: shown.join('\n'), startLine, endLine, totalLines, more, lineCut, bytesCut };
}

/**
 * Returns the text of bytes, without a byte order mark; `null` for what is not text. `cut` allows
 * an unfinished character at the end.
 *
 * @example
 * ```ts
 * import { decodeText } from '@repertoire/skills-core/provider';
 *
 * export const text = decodeText(new Uint8Array([104, 105])); // 'hi'; null for bytes that are no text
 * ```
 */
export function decodeText(bytes: Uint8Array, cut = false): string | null {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes, { stream: cut });
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function cutAtCharacter(text: string, length: number): string {
  const unit = text.charCodeAt(length - 1);
  const splitsPair = unit >= 0xd800 && unit <= 0xdbff;
  return text.slice(0, splitsPair ? length - 1 : length);
}
