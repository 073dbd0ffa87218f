/** One line of a Markdown text. */
export interface MarkdownLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** The word behind the opening fence of the code block; `null` outside of code. */
  readonly fence: string | null;
}

// recheck: it is anchored, and each part is bounded.
const opening = /^[ \t>]{0,20}(?:[-*+]\s|\d{1,3}[.)]\s)?[ \t]{0,12}(`{3,}|~{3,})[ \t]{0,4}([\w+-]{0,30})/;

let last: { readonly text: string; readonly lines: readonly MarkdownLine[] } = { text: '', lines: [] };

/**
 * The lines of a Markdown text without fences, and whether each is in a code block. Most rules ask
 * for those of the instructions, one after the other.
 */
export function linesOf(text: string): readonly MarkdownLine[] {
  if (last.text !== text) last = { text, lines: findLines(text) };
  return last.lines;
}

function findLines(text: string): MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let open: { readonly mark: string; readonly word: string } | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    // Cheap first: few lines are fences.
    const found = line.includes('```') || line.includes('~~~') ? opening.exec(line) : null;
    const mark = found?.[1] ?? '';
    if (open === null && mark !== '') open = { mark, word: (found?.[2] ?? '').toLowerCase() };
    else if (open !== null && mark.startsWith(open.mark) && line.trim().replaceAll('>', '').trim() === mark) open = null;
    else lines.push({ text: line, number: index + 1, fence: open === null ? null : open.word });
  }
  return lines;
}
