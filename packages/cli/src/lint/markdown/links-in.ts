import type { Node } from 'commonmark';

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

/** The links and images of a CommonMark text. What stands in code is an example and no link. */
export async function linksIn(text: string): Promise<MarkdownLink[]> {
  // Skips the parser, which takes most of the time, where there is no local link.
  if (text.length > maxLength || !/\]\((?!https?:)|\]:/.test(text)) return [];
  // Where nothing changed since the last time, no text is parsed, and the parser is not needed.
  const { Parser } = await import('commonmark');
  const document = new Parser().parse(bounded(text));
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
  }
  return links;
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
