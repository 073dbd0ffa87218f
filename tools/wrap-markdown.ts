import { readFileSync, writeFileSync } from 'node:fs';

/** The longest line of prose in a Markdown file, in characters. */
export const maxProseColumns = 100;

const listItem = /^(?<indent>\s*)(?<marker>[-*] |\d+\. |> )?/u;

/** What may not begin a wrapped line, because Markdown would read it as a list item, a heading, a quote or a table. */
const blockStart = /^(?:[-+*]|\d+[.)]|#+|={3,}|-{3,}|[>|<].*)$/u;

interface Line {
  readonly text: string;
  readonly prose: boolean;
}

/** The lines of a Markdown document, with those marked that are prose: no code, table, heading or comment. */
function linesOf(markdown: string): Line[] {
  let fence: string | undefined;
  let comment = false;
  let frontmatter = markdown.startsWith('---\n');
  return markdown.split('\n').map((text, index) => {
    if (frontmatter) {
      frontmatter = index === 0 || text !== '---';
      return { text, prose: false };
    }
    const mark = /^\s*(`{3,}|~{3,})/u.exec(text)?.[1];
    if (fence === undefined && mark !== undefined) {
      fence = mark;
      return { text, prose: false };
    }
    if (fence !== undefined) {
      if (text.trim() === fence) fence = undefined;
      return { text, prose: false };
    }
    if (text.startsWith('<!--')) comment = true;
    if (comment) {
      comment = !text.includes('-->');
      return { text, prose: false };
    }
    return { text, prose: text.trim() !== '' && !/^\s*(?:#|\||<|!\[)/u.test(text) && !/^ {4,}(?![-*\d])/u.test(text) };
  });
}

/** The words of a text. Wrapping keeps inline code whole, which may hold spaces. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let ticks = '';
  let open = '';
  for (const part of text.split(' ')) {
    if (open === '') words.push(part);
    else words.push(`${words.pop() ?? ''} ${part}`);
    for (const character of `${part} `) {
      if (character === '`') ticks += character;
      else if (ticks !== '') {
        if (open === '') open = ticks;
        else if (open === ticks) open = '';
        ticks = '';
      }
    }
  }
  return words.filter((word) => word !== '');
}

/** The numbers of lines of prose that are too long and could be broken. */
export function longProseLines(markdown: string): number[] {
  return linesOf(markdown).flatMap((line, index) =>
    line.prose && line.text.length > maxProseColumns && wordsOf(line.text).length > 3 ? [index + 1] : [],
  );
}

/** Wraps every paragraph and list item that has a line of more than {@link maxProseColumns} columns. */
export function wrapMarkdown(markdown: string): string {
  const lines = linesOf(markdown);
  const result: string[] = [];
  for (let start = 0; start < lines.length;) {
    const first = lines[start];
    if (first === undefined || !first.prose) {
      if (first !== undefined) result.push(first.text);
      start += 1;
      continue;
    }
    let end = start + 1;
    while (end < lines.length && lines[end]?.prose === true && !/^\s*(?:[-*] |\d+\. |> )/u.test(lines[end]?.text ?? '')) end += 1;
    result.push(...wrapBlock(lines.slice(start, end).map(({ text }) => text)));
    start = end;
  }
  return result.join('\n');
}

function wrapBlock(block: readonly string[]): string[] {
  if (block.every((text) => text.length <= maxProseColumns) || block.some((text) => text.endsWith('  '))) return [...block];
  const { indent = '', marker = '' } = listItem.exec(block[0] ?? '')?.groups ?? {};
  const hanging = indent + (marker === '> ' ? marker : ' '.repeat(marker.length));
  const wrapped: string[] = [];
  let line = indent + marker;
  let empty = true;
  for (const word of wordsOf(block.join(' ').slice(indent.length + marker.length))) {
    if (!empty && line.length + 1 + word.length > maxProseColumns && !blockStart.test(word)) {
      wrapped.push(line);
      line = hanging;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...wrapped, line];
}

if (import.meta.main) {
  for (const file of process.argv.slice(2)) {
    const before = readFileSync(file, 'utf8');
    const after = wrapMarkdown(before);
    if (after !== before) writeFileSync(file, after);
  }
}
