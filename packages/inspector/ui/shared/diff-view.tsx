import type { VNode } from 'preact';
import { shown } from '../text/shown.tsx';
import { lineDiff, type DiffLine } from '../diff/line-diff.ts';

const marks = { same: ' ', added: '+', removed: '−', gap: '⋯' } as const;

interface DiffViewProperties {
  readonly before: string;
  readonly after: string;
  readonly label: string;
  /** How many hidden characters of a line have a badge; the rest is counted. */
  readonly mostHidden?: number | undefined;
}

/** How one text became another, line by line; long stretches without a change are folded. */
export function DiffView({ before, after, label, mostHidden }: DiffViewProperties): VNode {
  const lines = lineDiff(before, after);
  const changed = lines.filter(({ kind }) => kind === 'added' || kind === 'removed').length;
  if (changed === 0) return <p class="notice calm">No byte is different.</p>;
  return (
    <div class="diff" role="region" aria-label={label} tabIndex={0}>
      {lines.map((line, index) => (
        <Line key={index} line={line} mostHidden={mostHidden} />
      ))}
    </div>
  );
}

function Line({ line: { kind, text }, mostHidden }: { readonly line: DiffLine } & Pick<DiffViewProperties, 'mostHidden'>): VNode {
  const Tag = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'div';
  return (
    <Tag class={`diff-line ${kind}`}>
      <span class="mark" aria-hidden="true">
        {marks[kind]}
      </span>
      <span>{shown(text, mostHidden)}</span>
    </Tag>
  );
}
