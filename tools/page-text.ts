/** A page of `docs` as readers see it: without the comments that tests and the site read. A comment in a block of code is part of the code. */
export function pageText(markdown: string): string {
  let fence: string | null = null;
  let isComment = false;
  const lines: string[] = [];
  for (const line of markdown.split('\n')) {
    const mark: string | null = /^ *(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (!isComment && mark !== null) fence = fence === null ? mark : mark.startsWith(fence) ? null : fence;
    if (fence === null && line.startsWith('<!--')) isComment = true;
    if (!isComment && !(line === '' && lines.at(-1) === '' && fence === null)) lines.push(line);
    if (isComment && line.includes('-->')) isComment = false;
  }
  return lines.join('\n');
}

/** The lines of a page outside of blocks of code, changed. */
export function changeProse(markdown: string, change: (line: string) => string): string {
  return markdown.replaceAll(/^( *)(`{3,}|~{3,})[^]*?^ *\2`*$|^.+$/gm, (part, _indent, fence) =>
    fence === undefined ? change(part) : part,
  );
}
