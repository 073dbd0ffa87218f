import type { VNode } from 'preact';
import type { TimelineItem } from '../../src/timeline/timeline.ts';

interface CurveProps {
  readonly items: readonly TimelineItem[];
  readonly at: number;
  readonly onChoose: (index: number) => void;
}

const [width, height] = [1000, 64];

/**
 * How the conversation grew, token by token. A dot is something that a skill disclosed. The slider
 * below it says the same in words.
 */
export function CostCurve({ items, at, onChoose }: CurveProps): VNode {
  const most = Math.max(1, items.at(-1)?.total ?? 1);
  const x = (index: number): number => (items.length === 1 ? width / 2 : 7 + ((width - 14) * index) / (items.length - 1));
  const y = (total: number): number => height - 4 - ((height - 14) * total) / most;
  const line = items.map(({ total }, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(total)}`).join('');
  const choose = (event: MouseEvent): void => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    onChoose(Math.round(((event.clientX - box.left) / box.width) * (items.length - 1)));
  };
  return (
    <svg class="curve" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" onClick={choose}>
      <path class="area" d={`${line}L${x(items.length - 1)} ${height}L${x(0)} ${height}Z`} />
      <path class="line" d={line} vector-effect="non-scaling-stroke" />
      <line class="now" x1={x(at)} x2={x(at)} y1="0" y2={height} vector-effect="non-scaling-stroke" />
      {items.map(({ kind, total }, index) =>
        kind === 'load' || kind === 'read' || kind === 'restored' ? (
          <line class={`mark ${kind}`} x1={x(index)} x2={x(index)} y1={y(total)} y2={height} vector-effect="non-scaling-stroke" />
        ) : null,
      )}
    </svg>
  );
}
