import type { SoakFigures } from './figures.ts';
import { heapThirds } from './judge.ts';

/** The figures as a table in Markdown. */
export function renderSoak(figures: SoakFigures): string {
  const { agent, changes, faults } = figures;
  const thirds = heapThirds(agent.heapBytes);
  const rows: readonly (readonly [string, string])[] = [
    ['minutes, seed', `${figures.minutes}, ${figures.seed}`],
    ['skills', count(figures.skills)],
    [
      'changes',
      Object.entries(changes)
        .map(([source, number]) => `${source} ${count(number)}`)
        .join(', '),
    ],
    [
      'faults',
      Object.entries(groupBySource(faults))
        .map(([source, number]) => `${source} ${count(number)}`)
        .join(', '),
    ],
    ['conversations', count(agent.conversations)],
    ['of these refused during an outage', count(agent.refused)],
    ['listings, complete ones', `${count(agent.listings)}, ${count(agent.completeListings)}`],
    ['notices of changes', count(agent.notices)],
    [
      'heap after collection, middle and last third',
      thirds === undefined ? 'too few samples' : `${mebibytes(thirds.middle)}, ${mebibytes(thirds.last)}`,
    ],
    ['skills lost, gone back, unsettled', [agent.lost, agent.wentBack, agent.unsettled].map((list) => list.length).join(', ')],
    ['unexpected errors, unhandled rejections and warnings', [agent.unexpected, agent.unhandled].map((list) => list.length).join(', ')],
    ['open handles after dispose', `${agent.openHandles.length}${figures.ended ? '' : '; the process did not end'}`],
  ];
  return ['| | |', '|---|---|', ...rows.map(([what, figure]) => `| ${what} | ${figure} |`)].join('\n');
}

function groupBySource(faults: Readonly<Record<string, number>>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [key, number] of Object.entries(faults)) {
    const [source = key] = key.split(' ');
    sums[source] = (sums[source] ?? 0) + number;
  }
  return sums;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
