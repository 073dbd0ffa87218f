import { describe, expect, it } from 'vitest';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { runInWorkerd } from './run-in-workerd.ts';

describe('a chat route in workerd, without nodejs_compat', () => {
  it('ADP-4, DIS-13, DIS-16, GOV-4, SRC-7, SRC-8: keeps the state itself, streams to a page, and restores what was pruned', async () => {
    const code = await bundleTestWorker(`export { default } from './workers/ai-sdk-route-worker.ts';`);
    expect(await runInWorkerd(code)).toEqual({
      labels: ['Loaded skill: refunds', 'Loaded skill: weather', 'Loaded skill: audit'],
      outputs: ['refunded A1', 'sun'],
      loaded: ['refunds', 'weather'],
      restore: true,
      forked: ['All is well.'],
      reports: ['skill-tools'],
      uploads: ['unsupported', 'unsupported', 'unsupported'],
    });
  });
});
