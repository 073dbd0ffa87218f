/** Line and column of an offset in a text, both from 1. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf('\n'); next !== -1 && next < offset; next = text.indexOf('\n', next + 1)) {
    line += 1;
    start = next + 1;
  }
  return { line, column: offset - start + 1 };
}

/** Line of a frontmatter field, from 1; 1 if it cannot be found. */
export function lineOfField(text: string, field: string): number {
  // Without a list of all lines: it is asked several times for each skill.
  const at = text.slice(0, 65_536).indexOf(`\n${field}:`);
  return at === -1 ? 1 : positionAt(text, at + 1).line;
}
