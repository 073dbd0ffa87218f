import { describe, expect, it } from 'vitest';
import type { AgentFigures, SoakFigures } from './figures.ts';
import { judgeSoak } from './judge.ts';
import { renderSoak } from './render-soak.ts';
import { runSoak } from './run-soak.ts';

const megabyte = 1_048_576;
const good: SoakFigures = {
  seed: 1,
  minutes: 10,
  skills: 1_000,
  changes: { fs: 1 },
  faults: { 'http error': 1 },
  ended: true,
  serverErrors: [],
  agent: {
    conversations: 10,
    refused: 1,
    listings: 10,
    completeListings: 8,
    notices: 3,
    lost: [],
    wentBack: [],
    unexpected: [],
    unhandled: [],
    unsettled: [],
    // Warming up, and then the same.
    heapBytes: [10, 20, 40, 50, 51, 50, 51, 50, 51].map((size) => size * megabyte),
    openHandles: [],
  },
};
const agent = (change: Partial<AgentFigures>): SoakFigures => ({ ...good, agent: { ...good.agent, ...change } });

describe('pnpm soak', () => {
  it('finds nothing in a good run', () => {
    expect(judgeSoak(good)).toEqual([]);
    expect(renderSoak(good)).toContain('| heap after collection, middle and last third | 50.0 MiB, 51.0 MiB |');
  });

  it.each<[string, SoakFigures, RegExp]>([
    ['a heap that grows', agent({ heapBytes: [10, 20, 40, 50, 51, 52, 53, 54, 55].map((size) => size * megabyte) }), /heap grew/],
    ['a lost skill', agent({ lost: ['billing'] }), /lost \(1\): billing/],
    ['a skill that went back', agent({ wentBack: ['billing'] }), /older revision/],
    ['an error that is no outage', agent({ unexpected: ['TypeError'] }), /no outage/],
    ['an unhandled rejection', agent({ unhandled: ['Error'] }), /Unhandled/],
    ['a change that never came', agent({ unsettled: ['billing'] }), /quiet/],
    ['an open handle', agent({ openHandles: ['Timeout'] }), /Open after dispose \(1\): Timeout/],
    ['a process that does not end', { ...good, ended: false }, /did not end/],
    ['an error of the servers', { ...good, serverErrors: ['Error'] }, /of the servers/],
    ['a run in which nothing was asked', agent({ conversations: 0 }), /no conversation/],
    ['a run in which nothing was whole', agent({ completeListings: 0 }), /No listing/],
    ['a run in which nothing changed', agent({ notices: 0 }), /told of a change/],
    ['a run in which nothing failed', { ...good, faults: {} }, /No server failed/],
  ])('finds %s', (_what, figures, problem) => {
    expect(judgeSoak(figures)).toEqual([expect.stringMatching(problem)]);
  });

  it('SRC-1, SRC-5, SRC-6, SRC-9: a short run of it loses nothing and leaves nothing open', async () => {
    const figures = await runSoak({ minutes: 3, conversations: 48, seed: 3, skills: 40 });
    expect(judgeSoak({ ...figures, agent: { ...figures.agent, heapBytes: [] } })).toEqual([]);
  });
});
