import { scanFrontmatter, type FrontmatterScan } from './scan-frontmatter.ts';

/** A frontmatter that is not between two lines `---`, and can be told apart all the same. */
export interface RescuedFrontmatter {
  readonly scan: Extract<FrontmatterScan, { status: 'complete' }>;
  readonly code: 'frontmatter-comment-before' | 'frontmatter-bare' | 'frontmatter-end-guessed';
  /** Line that was taken for its start or its end, from 1. */
  readonly line: number;
}

/** No real frontmatter is longer; what lies behind is not looked at. */
const maxCharacters = 65_536;

const field = /^[A-Za-z][\w-]*[ \t]*:(?:[ \t]|$)/;
const heading = /^#{1,6}[ \t]+\S/;

/**
 * Looks for a frontmatter where {@link scanFrontmatter} found none that ends: behind HTML comments,
 * as bare fields at the top, closed by an indented `---` or by `...`, or ended by the first
 * heading. `null` where the text could be read in more than one way: without a description, nothing
 * is guessed.
 */
export function rescueFrontmatter(text: string, status: 'none' | 'unclosed'): RescuedFrontmatter | null {
  const start = skipBlankLines(text, text.startsWith('\uFEFF') ? 1 : 0);
  return status === 'unclosed' ? guessEnd(text, start) : (behindComments(text, start) ?? bareFields(text, start));
}

function behindComments(text: string, start: number): RescuedFrontmatter | null {
  let at = start;
  while (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at + 4);
    if (end === -1) return null;
    const next = skipBlankLines(text, end + 3);
    // Behind the comment its line has to end.
    if (!/[\r\n]/.test(text.slice(end + 3, next))) return null;
    at = next;
  }
  if (at === start) return null;
  const inner = scanFrontmatter(text.slice(at));
  if (inner.status !== 'complete') return null;
  const line = lineOf(text, at) + inner.line - 1;
  return {
    scan: { status: 'complete', line, yamlStart: at + inner.yamlStart, yamlEnd: at + inner.yamlEnd, end: at + inner.end },
    code: 'frontmatter-comment-before',
    line,
  };
}

function bareFields(text: string, start: number): RescuedFrontmatter | null {
  const keys = new Set<string>();
  let end = start;
  let behind = start;
  for (const { content, from, next } of linesFrom(text, start)) {
    end = from;
    behind = from;
    if (/^---[ \t]*$/.test(content)) behind = next;
    if (behind === next || content.trim() === '' || heading.test(content)) break;
    if (field.test(content)) keys.add(content.slice(0, content.indexOf(':')).trim().toLowerCase());
    else if (keys.size === 0 || !/^(?:[ \t]+\S|- )/.test(content)) return null;
    end = next;
    behind = next;
  }
  if (!keys.has('name') || !keys.has('description')) return null;
  const line = lineOf(text, start);
  // The lines of the YAML are counted from the one behind the opening `---`, which is not there.
  return { scan: { status: 'complete', line: line - 1, yamlStart: start, yamlEnd: end, end: behind }, code: 'frontmatter-bare', line };
}

function guessEnd(text: string, start: number): RescuedFrontmatter | null {
  let yamlStart = -1;
  let isDescribed = false;
  for (const { content, from, next } of linesFrom(text, start)) {
    if (yamlStart === -1) {
      yamlStart = next;
      continue;
    }
    isDescribed ||= /^description[ \t]*:/.test(content);
    const isFence = /^(?:[ \t]+---|\.\.\.)[ \t]*$/.test(content);
    if (!isDescribed || !(isFence || heading.test(content))) continue;
    return {
      scan: { status: 'complete', line: lineOf(text, start), yamlStart, yamlEnd: from, end: isFence ? next : from },
      code: 'frontmatter-end-guessed',
      line: lineOf(text, from),
    };
  }
  return null;
}

interface Line {
  readonly content: string;
  readonly from: number;
  /** Where the next line begins. */
  readonly next: number;
}

function* linesFrom(text: string, start: number): Generator<Line> {
  const last = Math.min(text.length, start + maxCharacters);
  let from = start;
  while (from < last) {
    let to = from;
    while (to < text.length && text[to] !== '\n' && text[to] !== '\r') to += 1;
    const next = to + (text.startsWith('\r\n', to) ? 2 : to < text.length ? 1 : 0);
    yield { content: text.slice(from, to), from, next };
    from = next;
  }
}

function skipBlankLines(text: string, start: number): number {
  let at = start;
  let lineStart = start;
  while (at < text.length && /\s/.test(text[at] as string)) {
    at += 1;
    if (text[at - 1] === '\n' || text[at - 1] === '\r') lineStart = at;
  }
  return at === text.length ? at : lineStart;
}

function lineOf(text: string, offset: number): number {
  return (text.slice(0, offset).match(/\r\n|\n|\r/g)?.length ?? 0) + 1;
}
