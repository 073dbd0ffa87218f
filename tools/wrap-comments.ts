/**
 * `node tools/wrap-comments.ts FILE…`: wraps the comments of TypeScript files at 100 columns. Only paragraphs with a longer line are wrapped
 * anew; code in comments, tables and directives stay as they are.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const maxColumns = 100;
/** Comments that a tool reads by their first word. */
const directive = /^(?:@ts-|eslint|oxlint|oxfmt|prettier|recheck:|v8 |#|\/)/;

/** The text with its comments wrapped. */
export function wrapComments(text: string): string {
  const wrapped: string[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const single = /^( *)\/\*\* (.*) \*\/$/.exec(line);
    const [, indent = '', marker = ''] = /^( *)(\/\/|\/\*\*)/.exec(line) ?? [];
    if (single !== null) {
      if (line.length <= maxColumns) wrapped.push(line);
      else wrapped.push(`${single[1]}/**`, ...wrapParagraph([single[2] ?? ''], `${single[1]} * `), `${single[1]} */`);
    } else if (marker === '//') {
      const end = endOf(lines, at, (next) => next.startsWith(`${indent}// `));
      const texts = lines.slice(at, end).map((one) => one.slice(indent.length + 3));
      wrapped.push(...(line === `${indent}//` ? lines.slice(at, at + 1) : wrapTexts(texts, `${indent}// `)));
      at = Math.max(at, end - 1);
    } else if (marker === '/**' && line === `${indent}/**`) {
      const end = endOf(lines, at, (next) => next !== `${indent} */`);
      const texts = lines.slice(at + 1, end).map((one) => one.slice(indent.length + 3));
      wrapped.push(line, ...wrapTexts(texts, `${indent} * `));
      at = end - 1;
    } else wrapped.push(line);
  }
  return wrapped.join('\n');
}

function endOf(lines: readonly string[], at: number, isInside: (line: string) => boolean): number {
  let end = at + 1;
  while (end < lines.length && isInside(lines[end] ?? '')) end += 1;
  return end;
}

function wrapTexts(texts: readonly string[], prefix: string): string[] {
  const wrapped: string[] = [];
  let paragraph: string[] = [];
  let isCode = false;
  const flush = (): void => {
    wrapped.push(...wrapParagraph(paragraph, prefix));
    paragraph = [];
  };
  for (const text of texts) {
    const isFence = text.trimStart().startsWith('```');
    const isLiteral = isCode || isFence || text.trim() === '' || /^\s*\|/.test(text) || /^ {4}/.test(text) || directive.test(text);
    if (isLiteral || /^(?:@\w|\s*(?:[-*]|\d+\.) )/.test(text)) flush();
    if (isFence) isCode = !isCode;
    if (isLiteral) wrapped.push(`${prefix}${text}`.trimEnd());
    else paragraph.push(text);
  }
  flush();
  return wrapped;
}

function wrapParagraph(texts: readonly string[], prefix: string): string[] {
  if (texts.every((text) => prefix.length + text.length <= maxColumns)) return texts.map((text) => `${prefix}${text}`);
  const [first = ''] = texts;
  const hanging = ' '.repeat(/^\s*(?:(?:[-*]|\d+\.) )?/.exec(first)?.[0].length ?? 0) || (first.startsWith('@') ? '  ' : '');
  const lines: string[] = [];
  let line = '';
  for (const word of wordsOf(texts.join(' ').replace(/\s+/g, ' ').trim())) {
    const start = lines.length === 0 ? (/^\s*/.exec(first)?.[0] ?? '') : hanging;
    if (line !== '' && prefix.length + start.length + line.length + 1 + word.length > maxColumns) {
      lines.push(`${prefix}${start}${line}`);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, `${prefix}${lines.length === 0 ? '' : hanging}${line}`];
}

/** Code between backticks and links in braces are one word. */
function wordsOf(text: string): string[] {
  return text.match(/(?:`[^`]*`|\{@link [^}]*\}|[^\s`{]|\{)+/g) ?? [];
}

if (import.meta.main) {
  for (const file of process.argv.slice(2)) {
    const before = readFileSync(file, 'utf8');
    const after = wrapComments(before);
    if (after !== before) writeFileSync(file, after);
  }
}
