import type { CST, Scalar } from 'yaml';

/**
 * The position in the file of a character of a scalar. The parser keeps no such mapping, so text
 * and source are compared step by step.
 *
 * @param index offset in the text, in UTF-16 code units
 */
export function offsetInScalar(node: Scalar, index: number): number {
  const token = node.srcToken;
  if (token?.type === 'block-scalar') return offsetInBlock(token, String(node.value), index);
  if (token?.type === 'scalar' || token?.type === 'single-quoted-scalar' || token?.type === 'double-quoted-scalar')
    return offsetInFlow(token, index);
  return node.range?.[0] ?? 0;
}

/** Escapes in double quotes whose length is not two. */
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function offsetInFlow(token: CST.FlowScalar, index: number): number {
  const { source, type, offset } = token;
  const isDouble = type === 'double-quoted-scalar';
  const isSingle = type === 'single-quoted-scalar';
  let at = isDouble || isSingle ? 1 : 0;
  let done = 0;
  while (at < source.length && done < index) {
    const fold = foldAt(source, at);
    if (fold !== null) {
      // One line break becomes a space; several become one fewer.
      const made = Math.max(1, fold.breaks - 1);
      if (done + made > index) break;
      done += made;
      at = fold.end;
    } else if (isDouble && source[at] === '\\') {
      const { end, made } = escapeAt(source, at);
      at = end;
      done += made;
    } else {
      at += isSingle && source[at] === "'" ? 2 : 1;
      done += 1;
    }
  }
  // An escaped line end produces nothing, so the following character is meant.
  while (isDouble && source[at] === '\\' && /[\r\n]/.test(source[at + 1] ?? '')) at = escapeAt(source, at).end;
  return offset + at;
}

/** Line breaks at an offset, with the surrounding blanks. */
function foldAt(source: string, start: number): { readonly breaks: number; readonly end: number } | null {
  let at = start;
  let end = start;
  let breaks = 0;
  for (; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\n') breaks += 1;
    else if (character !== ' ' && character !== '\t' && character !== '\r') break;
    end = at + 1;
  }
  return breaks === 0 ? null : { breaks, end };
}

function escapeAt(source: string, at: number): { readonly end: number; readonly made: number } {
  const letter = source[at + 1] ?? '';
  const digits = hexDigits[letter];
  if (digits !== undefined) {
    const end = at + 2 + digits;
    const point = Number.parseInt(source.slice(at + 2, end), 16);
    return { end, made: point > 0xffff ? 2 : 1 };
  }
  if (letter !== '\n' && letter !== '\r') return { end: at + 2, made: 1 };
  let end = at + (source.startsWith('\r\n', at + 1) ? 3 : 2);
  while (source[end] === ' ' || source[end] === '\t') end += 1;
  return { end, made: 0 };
}

/** In `|` and `>` scalars, text and source differ in indentation and in folded line breaks. */
function offsetInBlock({ props, source, offset }: CST.BlockScalar, value: string, index: number): number {
  const start = offset + props.reduce((length, prop) => length + ('source' in prop ? prop.source.length : 0), 0);
  const indent = Math.max(0, leadOf(source) - leadOf(value));
  let at = skipIndent(source, 0, indent);
  let done = 0;
  while (at < source.length && done < index) {
    if (source[at] === '\r') {
      at += 1;
    } else if (source[at] === '\n') {
      if (value[done] === '\n' || value[done] === ' ') done += 1;
      at = skipIndent(source, at + 1, indent);
    } else {
      at += 1;
      done += 1;
    }
  }
  // Folded empty lines produce nothing either.
  while (value[index] !== '\n' && (source[at] === '\n' || source[at] === '\r'))
    at = source[at] === '\n' ? skipIndent(source, at + 1, indent) : at + 1;
  return start + at;
}

function leadOf(block: string): number {
  const line = block.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return line.length - line.trimStart().length;
}

function skipIndent(source: string, start: number, indent: number): number {
  let at = start;
  while (at < start + indent && source[at] === ' ') at += 1;
  return at;
}
