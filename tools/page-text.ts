/** A page of `docs` as readers see it: without the comments that tests and the site read. A comment in a block of code is part of the code. */
export function pageText(markdown: string): string {
  let isComment = false;
  const lines: string[] = [];
  for (const { line, isCode } of linesOf(markdown)) {
    if (!isCode && line.startsWith('<!--')) isComment = true;
    if (!isComment && (isCode || line !== '' || lines.at(-1) !== '')) lines.push(line);
    if (isComment && line.includes('-->')) isComment = false;
  }
  return lines.join('\n');
}

/** A page whose lines outside of blocks of code are changed. */
export function changeProse(markdown: string, change: (line: string) => string): string {
  return linesOf(markdown)
    .map(({ line, isCode }) => (isCode ? line : change(line)))
    .join('\n');
}

/** The lines of a page, and which belong to a block of code, its fences included. */
function linesOf(markdown: string): { readonly line: string; readonly isCode: boolean }[] {
  let open: string | null = null;
  return markdown.split('\n').map((line) => {
    const fence = /^ {0,12}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    const isCode = open !== null || fence !== null;
    if (open === null) open = fence;
    else if (fence?.startsWith(open) === true) open = null;
    return { line, isCode };
  });
}
