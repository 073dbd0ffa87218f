import { readTextWithColon } from './read-plain-scalar.ts';

type Broken = readonly [pattern: RegExp, detail: string];

/**
 * Texts on one line, by how they begin, that no parser accepts as the value of a field, whatever
 * fields follow, and what it says of them. Each is of the simplest shape: with more in it, it may
 * find something else first.
 */
const broken: Readonly<Record<string, readonly Broken[]>> = {
  '"': [
    [/^"[^"\\]*$/, 'Missing closing "quote'],
    [/^"[^"\\]*" +[A-Za-z][\w ,.]*$/, 'Unexpected scalar at node end'],
  ],
  "'": [
    [/^'[^']*$/, "Missing closing 'quote"],
    [/^'[^']*' +[A-Za-z][\w ,.]*$/, 'Unexpected scalar at node end'],
  ],
  '[': [
    [/^\[\w[\w ]*(?:, *\w[\w ]*)*,?$/, 'Flow sequence in block collection must be sufficiently indented and end with a ]'],
    [/^\[\w[\w-]*\](?: +\[\w[\w-]*\])+$/, 'Unexpected flow-seq-start at node end'],
  ],
  '{': [[/^\{\w[\w ]*(?:, *\w[\w ]*)*,?$/, 'Flow map in block collection must be sufficiently indented and end with a }']],
  '@': [[/^@[\w ,./-]*$/, 'Plain value cannot start with reserved character @']],
  '`': [[/^`[\w ,./-]*$/, 'Plain value cannot start with reserved character `']],
  '%': [[/^%[\w ,./-]*$/, 'Plain value cannot start with directive indicator character %']],
  '&': [[/^&\w+ +&\w+(?: +&?\w+)*$/, 'A node can have at most one anchor']],
  '!': [[/^!\w* +!\w*(?: +(?:!\w*|\w+))*$/, 'A node can have at most one tag']],
};

/** Why a parser refuses a value that the repair takes; `undefined` if unknown or accepted. */
export function whyBroken(text: string): string | undefined {
  // The repair leaves out other white space at the end, too.
  if (text.trim() !== text) return undefined;
  const patterns = broken[text.charAt(0)];
  if (patterns !== undefined) return patterns.find(([pattern]) => pattern.test(text))?.[1];
  return readTextWithColon(text) === null ? undefined : 'Nested mappings are not allowed in compact mappings';
}
