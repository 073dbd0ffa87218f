/** A link or image of Markdown. */
export interface MarkdownLink {
  /** Where it leads, without fragment and query. */
  readonly target: string;
  /** Line in the text, from 1. */
  readonly line: number;
}

/** Longer lines are data, not prose. */
const maxLineLength = 10_000;
const fence = /^ {0,3}(`{3,}|~{3,})/;
// recheck: each part is bounded, and it starts at two characters that must stand together.
const link = /\]\(\s?<?([^()\s<>]{1,500})>?(?:\s"[^"]{0,200}")?\s?\)/g;
const definition = /^ {0,3}\[[^\]]{1,200}\]:\s{1,4}<?([^\s<>]{1,500})/;

/**
 * The links of a Markdown text to relative paths. What stands in code, fenced or inline, is an example and no link. Links to other sites,
 * to places in the page, to absolute paths and to placeholders are left out.
 */
export function relativeLinks(text: string): MarkdownLink[] {
  const links: MarkdownLink[] = [];
  let open: string | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.length > maxLineLength) continue;
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined && (open === null || (mark.startsWith(open) && line.trim() === mark))) {
      open = open === null ? mark : null;
      continue;
    }
    if (open !== null || /^(?: {4}|\t)/.test(line)) continue;
    const prose = withoutInlineCode(line);
    const targets = [...prose.matchAll(link)].map(([, target]) => target ?? '');
    const defined = definition.exec(prose)?.[1];
    for (const written of defined === undefined ? targets : [...targets, defined]) {
      const target = (written.split(/[?#]/, 1)[0] ?? '').trim();
      if (isRelativePath(target)) links.push({ target, line: index + 1 });
    }
  }
  return links;
}

function isRelativePath(target: string): boolean {
  if (target === '' || target.startsWith('/') || target.startsWith('~') || /^[a-z][a-z0-9+.-]*:/i.test(target)) return false;
  // A placeholder: `{name}.md`, `$FILE`, `<path>`, `...`, `*.md`.
  return !/[{}$<>*|\\,]|\.\.\.|…/.test(target);
}

/** Spans of inline code become spaces, so that columns and lines stay. */
function withoutInlineCode(line: string): string {
  let result = '';
  for (let at = 0; at < line.length;) {
    const start = line.indexOf('`', at);
    if (start === -1) return result + line.slice(at);
    let ticks = start;
    while (line[ticks] === '`') ticks += 1;
    const mark = line.slice(start, ticks);
    const end = line.indexOf(mark, ticks);
    result += line.slice(at, start);
    if (end === -1) return result + line.slice(start);
    result += ' '.repeat(end + mark.length - start);
    at = end + mark.length;
  }
  return result;
}
