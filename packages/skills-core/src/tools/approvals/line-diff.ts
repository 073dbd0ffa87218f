/** Larger texts are compared by their ends alone, so that the work stays small. */
const maxCells = 1_000_000;
const context = 2;
const maxLines = 400;

/** Lines that differ, with two around them: `+`, `-` or two blanks before each. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return '';
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const head = old.slice(Math.max(0, start - context), start).map((line) => `  ${line}`);
  const tail = old
    .slice(old.length - end)
    .slice(0, context)
    .map((line) => `  ${line}`);
  const lines = [...head, ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)), ...tail];
  return (lines.length > maxLines ? [...lines.slice(0, maxLines), '…'] : lines).join('\n');
}

/** By the longest common subsequence, or as a whole if that is too much work. */
function middle(old: readonly string[], now: readonly string[]): readonly string[] {
  const removed = (line: string) => `- ${line}`;
  const added = (line: string) => `+ ${line}`;
  if (old.length * now.length > maxCells) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [was = '', is = ''] = [old[row], now[column]];
    if (row < old.length && column < now.length && was === is) {
      lines.push(`  ${was}`);
      row += 1;
      column += 1;
    } else if (column >= now.length || (row < old.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(was));
      row += 1;
    } else {
      lines.push(added(is));
      column += 1;
    }
  }
  return lines;
}
