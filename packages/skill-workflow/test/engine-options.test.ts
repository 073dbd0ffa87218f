import { describe, expect, it } from 'vitest';
import { cloudflareEngine } from '../src/cloudflare.ts';
import { dbosEngine } from '../src/dbos.ts';
import type { Workflow } from '../src/index.ts';
import { restateEngine } from '../src/restate.ts';
import { temporalWorkflow } from '../src/temporal.ts';

describe('engines', () => {
  it('FLW-5: a run of Restate that is canceled ends the steps that have not ended', async () => {
    const canceled = new Error('canceled');
    const context = { run: () => ({ map: () => ({}) }), request: () => ({}) };
    const engine = restateEngine(
      { RestatePromise: { race: async () => await Promise.reject(canceled) } } as never,
      context as never,
      'key',
    );
    const steps = [engine.runStep('a', async () => 1), engine.runStep('b', async () => 2)];
    expect(await Promise.allSettled(steps)).toEqual(steps.map(() => ({ status: 'rejected', reason: canceled })));
  });

  it('FLW-3: a workflow of Temporal that is canceled ends as canceled, and any other failure as final', async () => {
    const isCancellation = (error: unknown): boolean => error instanceof Error && error.message === 'canceled';
    const runOf = async (failure: Error): Promise<unknown> => {
      const temporal = {
        isCancellation,
        proxyActivities: () => ({ callSkillTool: async () => await Promise.reject(failure) }),
        workflowInfo: () => ({ workflowId: 'w' }),
        CancellationScope: class {
          run = async (work: () => Promise<unknown>): Promise<unknown> => await work();
          cancel = (): void => {};
        },
        ApplicationFailure: { nonRetryable: (message: string, type: string) => ({ message, type }) },
      };
      const workflow: Workflow = { name: 'refund', version: null, steps: [{ name: 'a', type: 'tool', tool: 'find', input: {} }] };
      return await temporalWorkflow(temporal as never, { activities: {} })({ workflow, input: {} }).catch((error: unknown) => error);
    };
    const canceled = new Error('canceled');
    expect(await runOf(canceled)).toBe(canceled);
    expect(await runOf(new Error('broken'))).toMatchObject({ type: 'step-failed' });
  });

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
