import type { SoakFigures } from './figures.ts';

/** Samples of the heap below which nothing is said of its growth. */
const leastSamples = 9;
/** How much the last third of the samples may lie above the middle one: code that V8 compiles late is in the heap, and one collection leaves more than the next. */
const growthBytes = 2_097_152;
const growthShare = 0.03;

/** Median of the heap in the middle and in the last third of a run; the first third warms up. `undefined` where there are too few samples. */
export function heapThirds(samples: readonly number[]): { readonly middle: number; readonly last: number } | undefined {
  if (samples.length < leastSamples) return undefined;
  const third = Math.floor(samples.length / 3);
  return { middle: median(samples.slice(third, 2 * third)), last: median(samples.slice(2 * third)) };
}

/** What does not hold of a run, in sentences; none where all of it does. */
export function judgeSoak({ agent, ended, faults, serverErrors }: SoakFigures): string[] {
  const thirds = heapThirds(agent.heapBytes);
  const allowed = thirds === undefined ? 0 : thirds.middle + Math.max(growthBytes, thirds.middle * growthShare);
  const list = (what: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${what} (${items.length}): ${items.slice(0, 5).join('; ')}`];
  return [
    ...(thirds !== undefined && thirds.last > allowed ? [`The heap grew from ${thirds.middle} to ${thirds.last} bytes.`] : []),
    ...list('Skills were lost', agent.lost),
    ...list('Skills went back to an older revision', agent.wentBack),
    ...list('Errors that are no outage', agent.unexpected),
    ...list('Unhandled rejections and warnings', agent.unhandled),
    ...list('Not as it should be after all was quiet', agent.unsettled),
    ...list('Open after dispose', agent.openHandles),
    ...list('Errors of the servers', serverErrors),
    ...(ended ? [] : ['The process did not end after everything was disposed.']),
    // A run in which nothing happened proves nothing.
    ...(agent.conversations === 0 ? ['There was no conversation.'] : []),
    ...(agent.completeListings === 0 ? ['No listing was complete.'] : []),
    ...(agent.notices === 0 ? ['No source told of a change.'] : []),
    ...(Object.keys(faults).length === 0 ? ['No server failed.'] : []),
  ];
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
