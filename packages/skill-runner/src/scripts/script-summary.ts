import { oneLine } from '@repertoire/skills-core/internal';
import { decodeText } from '@repertoire/skills-core/provider';

/** Bytes of a script that are enough to find its first comment. */
export const scriptHeadBytes = 4_096;
const maxSummaryLength = 200;
const maxLines = 60;

/** First lines of a script that say nothing of what it does. */
const noise =
  /^(?:-\*-.*|vim?:.*|coding[:=].*|copyright\b.*|\(c\).*|©.*|spdx-.*|licensed under.*|license:.*|all rights reserved.*|shellcheck .*|eslint.*|@?ts-.*|type:.*|pylint.*|noqa.*|usr\/bin\/.*|[-=*#~_/]*)$/i;

/**
 * What a script says of itself: the first paragraph of its first comment (`#`, `//`, a block
 * comment, or the docstring of Python). `null` when it starts with code. Coding marks, licenses and
 * metadata blocks (`# /// script`) are skipped.
 */
export function scriptSummary(script: string | Uint8Array): string | null {
  const text = typeof script === 'string' ? script.slice(0, scriptHeadBytes) : decodeText(script.subarray(0, scriptHeadBytes), true);
  if (text === null) return null;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/, maxLines);
  if (lines[0]?.startsWith('#!') === true) lines.shift();
  const comment = commentLines(lines);
  const start = comment.findIndex((line) => !noise.test(line));
  if (start < 0) return null;
  const length = comment.slice(start).findIndex((line) => noise.test(line));
  const paragraph = oneLine(comment.slice(start, length < 0 ? undefined : start + length).join(' '));
  if (paragraph === '') return null;
  return paragraph.length > maxSummaryLength ? `${paragraph.slice(0, maxSummaryLength - 1).trimEnd()}…` : paragraph;
}

/** Returns a line without the `#` or `/` that it begins with, however many there are. */
function withoutMark(line: string): string {
  let start = 1;
  while (line[start] === line[0]) start += 1;
  return line.slice(start);
}

/** Returns the lines of the comments above the first line of code, without their marks. */
function commentLines(lines: readonly string[]): string[] {
  const found: string[] = [];
  let closing: string | null = null;
  let metadata = false;
  for (const raw of lines) {
    const line = raw.trim();
    if (closing !== null) {
      const end = line.indexOf(closing);
      found.push((end < 0 ? line : line.slice(0, end)).replace(/^\*+ ?/, '').trim());
      if (end >= 0) closing = null;
      continue;
    }
    const opened = /^(?:[rRuU]?("""|''')|(\/\*+))/.exec(line);
    if (opened !== null) {
      const mark = opened[1] ?? '*/';
      const rest = line.slice(opened[0].length);
      const end = rest.indexOf(mark);
      found.push((end < 0 ? rest : rest.slice(0, end)).trim());
      if (end < 0) closing = mark;
      continue;
    }
    if (line.startsWith('#') || line.startsWith('//')) {
      const words = withoutMark(line).trim();
      // PEP 723: what stands between the marks is for installers.
      if (/^\/\/\/(?: |$)/.test(words)) metadata = !metadata;
      else if (!metadata) found.push(words);
      continue;
    }
    if (line === '') found.push('');
    // Above the comment or docstring, these say nothing.
    else if (!/^(?:['"]use strict['"];?|set [-+]\w.*|from __future__ import .*)$/.test(line)) break;
  }
  return found;
}
