import { describe, expect, it } from 'vitest';
import { cloudflareEngine } from '../src/cloudflare.ts';
import { dbosEngine } from '../src/dbos.ts';

describe('engines', () => {
  it('FLW-5: name the run and pass on how steps are repeated', async () => {
    const seen: unknown[] = [];
    const dbos = {
      workflowID: 'd',
      runStep: async <Value>(work: () => Promise<Value>, configuration: object) => (seen.push(configuration), await work()),
    };
    const engine = dbosEngine(dbos, { step: { retriesAllowed: true, maxAttempts: 3 } });
    expect([engine.workflowId, await engine.runStep('a', async () => 1)]).toEqual(['d', 1]);
    expect(() => dbosEngine({ ...dbos, workflowID: undefined })).toThrow('outside of a workflow');
    const step = {
      do: async (name: string, configuration: object, work: () => Promise<never>) => (seen.push([name, configuration]), await work()),
    };
    const flow = cloudflareEngine({ instanceId: 'c' }, step);
    expect([flow.workflowId, await flow.runStep('b', async () => 2)]).toEqual(['c', 2]);
    expect(seen).toEqual([{ retriesAllowed: true, maxAttempts: 3, name: 'a' }, ['b', { retries: { limit: 0, delay: 0 } }]]);
  });
});
