import { diffLines } from 'diff';

/** One line of a difference. A `gap` stands for lines that are the same in both. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

const context = 3;
/**
 * Two texts that differ more than this are shown as one taken away and one put in its place: it
 * bounds the work.
 */
const maxEdits = 4_000;

/**
 * How one text became another, by lines. Long stretches without a change become one line that says
 * how many they are. Pure.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const parts = diffLines(before, after, { maxEditLength: maxEdits }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return parts.flatMap(({ value, added, removed }, index) => {
    const texts = linesOf(value);
    if (added || removed) return texts.map((text): DiffLine => ({ kind: added ? 'added' : 'removed', text }));
    return folded(texts, index === 0, index === parts.length - 1);
  });
}

function folded(texts: readonly string[], isFirst: boolean, isLast: boolean): DiffLine[] {
  const same = (some: readonly string[]): DiffLine[] => some.map((text) => ({ kind: 'same', text }));
  const head = isFirst ? 0 : context;
  const tail = isLast ? 0 : context;
  const hidden = texts.length - head - tail;
  if (hidden < 3) return same(texts);
  const gap: DiffLine = { kind: 'gap', text: `${hidden} lines without a change` };
  return [...same(texts.slice(0, head)), gap, ...same(tail === 0 ? [] : texts.slice(-tail))];
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
