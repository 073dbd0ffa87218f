/** Below this, what stands in a second column gets a line of its own. */
const leastColumn = 24;

/**
 * Wraps lines wider than a terminal at spaces, indented below the second column, else by two.
 * Lines and words that cannot be wrapped stay as they are.
 */
export function wrapLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => (line.length <= width ? [line] : wrapped(line, width)))
    .join('\n');
}

function wrapped(line: string, width: number): string[] {
  const indent = line.length - line.trimStart().length;
  const gap = line.indexOf('  ', indent);
  if (gap === -1) return fill(line.trimStart(), indent, indent + 2, width);
  const rest = line.slice(gap).trimStart();
  const column = line.length - rest.length;
  if (width - column >= leastColumn) {
    const [first = '', ...others] = fill(rest, column, column, width);
    return [line.slice(0, gap).padEnd(column) + first.trimStart(), ...others];
  }
  return [...fill(line.slice(indent, gap), indent, indent + 2, width), ...fill(rest, indent + 4, indent + 4, width)];
}

function fill(text: string, first: number, others: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const indent = lines.length === 0 ? first : others;
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(' '.repeat(indent) + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, ' '.repeat(lines.length === 0 ? first : others) + line];
}
