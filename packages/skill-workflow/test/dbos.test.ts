import { join } from 'node:path';
import { DBOS } from '@dbos-inc/dbos-sdk';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dbosEngine, type DurableWorkflowRequest } from '../src/dbos.ts';
import { executeWorkflow, parseWorkflow, type WorkflowCallContext } from '../src/index.ts';
import { testCalls } from './programs/test-skill.ts';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { startTestPostgres, type Postgres } from '../../../test/support/postgres.ts';
import { runProgram, type EndedProgram } from '../../../test/support/run-program.ts';

const program = await bundleProgram(join(import.meta.dirname, 'programs/dbos-program.ts'), ['@opentelemetry/*']);
let postgres: Postgres;
let ledger: pg.Pool;

beforeAll(async () => {
  postgres = await startTestPostgres();
  ledger = new pg.Pool({ connectionString: postgres.url, max: 1 });
});
afterAll(async () => {
  await ledger.end();
  await postgres[Symbol.asyncDispose]();
});

const start = async (environment: Readonly<Record<string, string>>): Promise<EndedProgram> =>
  await runProgram(program, { DATABASE_URL: postgres.url, ...environment });

async function entriesOf(run: string): Promise<{ what: string; key: string }[]> {
  return (await ledger.query<{ what: string; key: string }>('select what, key from ledger where run = $1 order by n', [run])).rows;
}

describe('DBOS on PostgreSQL, killed by SIGKILL', () => {
  it('FLW-3: killed within and between steps, one run after another: no finished step runs twice, and the end is the same', async () => {
    // Each run goes on where the last one died, and dies further on.
    const kills = ['begin first', 'recorded first', 'begin fan/y', 'recorded fan/y', 'end last', 'begin tell'];
    const deaths: (string | null)[] = [];
    for (const [index, place] of kills.entries()) {
      const ended = await start({ RUN: 'kills', KILL: place, ...(index === 0 && { START: 'yes' }) });
      deaths.push(ended.signal);
    }
    expect(deaths).toEqual(kills.map(() => 'SIGKILL'));
    const last = await start({ RUN: 'kills' });
    expect(JSON.parse(last.stdout)).toMatchObject({ output: expect.stringContaining('Asked: '), steps: { last: { output: { sum: 8 } } } });

    const entries = await entriesOf('kills');
    const counts = Object.fromEntries(testCalls.map((call) => [call, entries.filter(({ what }) => what === `begin ${call}`).length]));
    // Those that were running when the process died run again, with the same key. Nothing else does.
    expect(counts).toEqual({ first: 2, 'fan/x': 1, 'fan/y': 2, 'fan/z': 1, last: 2, tell: 2 });
    expect(new Set(entries.map(({ what, key }) => key === `kills:${what.split(' ')[1]}`))).toEqual(new Set([true]));
    expect(
      last.stderr
        .split('\n')
        .filter((line) => line.startsWith('sums'))
        .slice(0, 2),
    ).toEqual(['sums 1/4 first: started', 'sums 1/4 first: finished earlier']);
  });

  it('FLW-3: a run that nobody kills does everything once, and asking for it again does nothing', async () => {
    const ended = await start({ RUN: 'calm', START: 'yes' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ steps: { last: { output: { sum: 8 } } } });
    const again = await start({ RUN: 'calm', START: 'yes' });
    expect(again.stdout).toBe(ended.stdout);
    expect((await entriesOf('calm')).map(({ what }) => what)).toEqual(testCalls.flatMap((call) => [`begin ${call}`, `end ${call}`]));
  });
});

describe('DBOS in this process', () => {
  const stuck = Promise.withResolvers<AbortSignal | undefined>();
  let free = false;
  const tools = {
    good: () => 1,
    pay: ({ order }: Readonly<Record<string, unknown>>, { call }: WorkflowCallContext) => {
      // The calls of a list run at once, in any order.
      const isFirst = !tried.includes(call);
      tried.push(call);
      if (call === 'pay/0' && isFirst) throw new Error('Busy.');
      return order;
    },
    bad: () => {
      throw new Error('No seats.');
    },
    wait: async (_input: unknown, { signal }: WorkflowCallContext) => {
      if (free) return 'done';
      stuck.resolve(signal);
      return await new Promise<never>(() => undefined);
    },
  };
  const workflowOf = (steps: readonly object[]) =>
    parseWorkflow({ name: 'flow', steps }, { tools: Object.keys(tools), allowUntrusted: true });
  const tried: string[] = [];
  const asked: unknown[] = [];
  const durable = DBOS.registerWorkflow(
    async ({ workflow, input }: DurableWorkflowRequest) =>
      await executeWorkflow(workflow, { ...dbosEngine(DBOS), tools, input, approve: (request) => asked.push(request) === 1 }),
    { name: 'in-process' },
  );

  beforeAll(async () => {
    DBOS.setConfig({
      name: 'workflow-tests',
      systemDatabaseUrl: postgres.url,
      applicationVersion: 'in-process',
      executorID: 'two',
      logLevel: 'error',
    });
    await DBOS.launch();
  });
  afterAll(async () => await DBOS.shutdown({ deregister: true }));

  it('FLW-3: a failed branch fails the workflow, names the branch, and the record keeps the results of the others', async () => {
    const workflow = workflowOf([{ name: 'fan', tools: [{ tool: 'good' }, { tool: 'bad' }] }]);
    const handle = await DBOS.startWorkflow(durable, { workflowID: 'fails' })({ workflow });
    const message =
      'Step "fan" of the workflow "flow" failed. bad: No seats. 1 of 2 branches finished; their results are in error.branches.';
    await expect(handle.getResult()).rejects.toMatchObject({
      code: 'step-failed',
      message,
      branches: { good: { output: 1 }, bad: { error: 'No seats.' } },
    });
    // Another process reads it from the database.
    await expect(DBOS.retrieveWorkflow('fails').getResult({ pollingIntervalMs: 20 })).rejects.toMatchObject({
      message,
      branches: { good: { output: 1 } },
    });
    expect((await DBOS.listWorkflowSteps('fails'))?.slice(1).map(({ name, output }) => [name, output])).toEqual([
      ['fan/good', 1],
      ['fan/bad', null],
    ]);
  });

  it('FLW-6: for_each, when, retry, timeout_ms and approve are steps of the run, each recorded once', async () => {
    const workflow = workflowOf([
      { name: 'ask', approve: 'Pay?', input: { orders: '$.input.orders' } },
      { name: 'skipped', tool: 'bad', when: '$.input.no' },
      {
        name: 'pay',
        tool: 'pay',
        for_each: '$.input.orders',
        input: { order: '$.item' },
        retry: { attempts: 2, delay_ms: 0 },
        timeout_ms: 60_000,
      },
    ]);
    const runAgain = async () =>
      await (
        await DBOS.startWorkflow(durable, { workflowID: 'rules' })({ workflow, input: { orders: ['A', 'B'], no: false } })
      ).getResult();
    expect(await runAgain()).toMatchObject({ output: ['A', 'B'] });
    // Asked for again, it answers from its record: nobody is asked, and nothing runs.
    expect(await runAgain()).toMatchObject({ output: ['A', 'B'] });
    expect(asked).toEqual([{ question: 'Pay?', input: { orders: ['A', 'B'] } }]);
    expect(tried.toSorted()).toEqual(['pay/0', 'pay/0', 'pay/1']);
    const [begun, ...calls] = (await DBOS.listWorkflowSteps('rules')) ?? [];
    expect([begun?.name, begun?.output]).toEqual(['begin workflow', expect.objectContaining({ run: 'rules' })]);
    expect(calls.map(({ name, output }) => [name, output]).toSorted()).toEqual([
      ['ask', true],
      ['pay/0', 'A'],
      ['pay/1', 'B'],
    ]);
  });

  it('FLW-3: a canceled workflow is canceled and not failed, its tool sees the signal, and it can be resumed', async () => {
    const handle = await DBOS.startWorkflow(durable, { workflowID: 'cancels' })({ workflow: workflowOf([{ name: 'wait', tool: 'wait' }]) });
    const signal = await stuck.promise;
    const aborted = new Promise((resolve) => signal?.addEventListener('abort', resolve));
    await DBOS.cancelWorkflow('cancels');
    await aborted;
    await expect(handle.getResult()).rejects.toThrow(/cancel/i);
    expect((await DBOS.getWorkflowStatus('cancels'))?.status).toBe('CANCELLED');
    free = true;
    expect(await (await DBOS.resumeWorkflow<{ output: unknown }>('cancels')).getResult({ pollingIntervalMs: 20 })).toMatchObject({
      output: 'done',
    });
  });
});
