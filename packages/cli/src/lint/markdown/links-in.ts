import type { Node, Parser } from 'commonmark';
import { linesOf } from './lines-of.ts';

/** A link or image of Markdown. */
export interface MarkdownLink {
  /** Where it leads, percent-encoding undone where what it stands for can be shown. */
  readonly target: string;
  /** Line in the text, from 1. */
  readonly line: number;
}

/** Longer texts are data. This bounds the time that the parser takes. */
const maxLength = 512 * 1024;
/** Deeper quotes and lists are no text of a person, and make the parser slow. */
const maxDepth = 200;

// recheck: it starts with a fixed text, and each part is bounded.
const imageSource = /<img\b[^>]{0,500}?\ssrc\s?=\s?["']([^"'\n]{1,300})["']/gi;
/** Words in both brackets: indices of arrays and classes of characters are none. */
const labelled = /(?<![\w\]\\!)])\[([A-Za-z][^[\]\n]{2,80})\]\[([A-Za-z][\w .-]{1,60})\](?![[(\w])/g;
const definition = /^[ \t>]{0,12}\[([^\]\n]{1,200})\]:/;

/** A destination that needs no parser to be read: what ends it is certain. */
const plainTarget = /^\s{0,8}([\w./-]{1,200})(?=[\s)])/;

/**
 * The links and images of a CommonMark text. What stands in code is an example and no link.
 *
 * @param isSettled whether nobody needs to know of links to this target. Where all are settled, the
 *   list may be empty
 */
export async function linksIn(text: string, isSettled: (target: string) => boolean = () => false): Promise<MarkdownLink[]> {
  // Skips the parser, which takes most of the time, where no link is of interest.
  if (text.length > maxLength || !hasOpenLink(text, isSettled)) return [];
  // Where nothing changed since the last time, no text is parsed, and the parser is not needed.
  const { Parser: CommonMark } = await import('commonmark');
  const parser: Parser & Partial<InlineReader> = new CommonMark();
  const { inlineParser } = parser;
  if (inlineParser !== undefined) {
    // Half of the time goes into paragraphs without any link.
    const read = inlineParser.parse.bind(inlineParser);
    inlineParser.parse = (block) => {
      if (/\]|<img/.test(block[content] ?? ']')) read(block);
    };
  }
  const document = parser.parse(bounded(text));
  const links: MarkdownLink[] = [];
  let line = 1;
  const walker = document.walker();
  for (let event = walker.next(); event !== null; event = walker.next()) {
    const { node, entering } = event;
    if (!entering) continue;
    // Only blocks have a position; inside of one, line ends are counted.
    const start = (node.sourcepos as Node['sourcepos'] | undefined)?.[0][0];
    if (start !== undefined) line = start;
    else if (node.type === 'softbreak' || node.type === 'linebreak') line += 1;
    else if ((node.type === 'link' || node.type === 'image') && node.destination !== null)
      links.push({ target: decoded(node.destination), line });
    if (node.type !== 'html_block' && node.type !== 'html_inline') continue;
    const html = node.literal ?? '';
    for (const { index, 1: target = '' } of html.matchAll(imageSource))
      links.push({ target: decoded(target), line: line + html.slice(0, index).split('\n').length - 1 });
  }
  return links;
}

const content = '_string_content';

/** A part of the parser that its types leave out. */
interface InlineReader {
  readonly inlineParser: { parse: (block: { readonly [content]?: string }) => void };
}

/** A reference to a definition (`[text][label]`) that the text does not have. */
export interface UndefinedLabel {
  readonly text: string;
  readonly label: string;
  /** From 1. */
  readonly line: number;
}

/** The references of a text to link definitions that are not there. Code is not looked at. */
export function undefinedLabels(text: string): UndefinedLabel[] {
  if (text.length > maxLength || !text.includes('][') || text.search(labelled) === -1) return [];
  const lines = linesOf(text).filter(({ fence, text: line }) => fence === null && line.length <= 5_000 && !/^(?: {4}|\t)/.test(line));
  const defined = new Set(lines.flatMap(({ text: line }) => definition.exec(line)?.[1]?.trim().toLowerCase().replace(/\s+/g, ' ') ?? []));
  return lines.flatMap(({ text: line, number }) =>
    // recheck: a line has at most 5,000 characters, and each part is bounded.
    // recheck: each part is bounded.
    Array.from(line.replace(/`[^`]{0,500}`/g, '``').matchAll(labelled), ([, shown = '', label = '']) => ({
      text: shown,
      label,
      line: number,
    })).filter(({ label }) => !defined.has(label.trim().toLowerCase().replace(/\s+/g, ' '))),
  );
}

/** A link that no reader of Markdown takes for one, though its author did. */
export interface BrokenLink {
  readonly line: number;
  readonly written: string;
  readonly why: 'blank' | 'backslash' | 'open';
  /** What was surely meant. */
  readonly target: string;
}

const broken =
  // recheck: a line has at most 5,000 characters, and each part is bounded.
  /\]\((?:((?:[\w.-]{1,80}\/){0,6}[\w.-]{1,80}(?: [\w.-]{1,40}){1,5}\.\w{1,5})\)|((?:[\w.-]{1,80}\\){1,6}[\w.-]{1,80}\.\w{1,5})\)|((?:references?|scripts|assets)\/[\w./-]{1,120}\.\w{1,5})(?=[\s,.;]|$)(?![^\n)]{0,3}\)|\s{1,3}["'(]))/g;

/** Links with a blank or a backslash in their target, or without an end. Code is not looked at. */
export function brokenLinks(text: string): BrokenLink[] {
  if (text.length > maxLength || !text.includes('](') || text.search(broken) === -1) return [];
  return linesOf(text)
    .filter(({ fence, text: line }) => fence === null && line.includes('](') && line.length <= 5_000)
    .flatMap(({ text: line, number }) =>
      Array.from(line.replace(/`[^`]{0,500}`/g, '``').matchAll(broken), ([, blank, backslash, open]): BrokenLink => {
        const written = blank ?? backslash ?? open ?? '';
        const why = blank !== undefined ? 'blank' : backslash !== undefined ? 'backslash' : 'open';
        return { line: number, written, why, target: written.replaceAll('\\', '/') };
      }),
    );
}

/** Whether something may be a link that is not settled. Examples in code are not told apart. */
function hasOpenLink(text: string, isSettled: (target: string) => boolean): boolean {
  if (text.includes('<img') && [...text.matchAll(imageSource)].some(([, target = '']) => !/^https?:/.test(target) && !isSettled(target)))
    return true;
  for (let at = text.indexOf(']'); at !== -1; at = text.indexOf(']', at + 1)) {
    const mark = text[at + 1];
    if (mark !== '(' && (mark !== ':' || !mayDefine(text, at))) continue;
    const target = text.slice(at + 2, at + 300);
    if (/^\s{0,8}https?:/.test(target)) continue;
    const plain = plainTarget.exec(target)?.[1];
    if (plain === undefined || !isSettled(plain)) return true;
  }
  return false;
}

/** Whether `[label]:` may define a link: only what quotes and lists begin with may stand before. */
function mayDefine(text: string, end: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', end) + 1, end);
  const opening = line.indexOf('[');
  // The label began in a line before.
  return opening === -1 || /^[\s>*+.)\d-]*$/.test(line.slice(0, Math.min(opening, 500)));
}

/** Cuts quotes and lists that are nested deeper than people write. */
function bounded(text: string): string {
  // recheck: each line is looked at once, and only its first characters.
  return text.replace(/^(?:[ \t]{0,3}[>*+-]){200}.*$/gm, (line) => line.slice(0, maxDepth));
}

function decoded(target: string): string {
  try {
    const text = decodeURIComponent(target);
    return /\p{C}/u.test(text) ? target : text;
  } catch {
    return target;
  }
}
