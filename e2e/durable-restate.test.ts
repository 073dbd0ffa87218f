import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placedLoops } from './durable/placed-loops.ts';
import type { RestateRun } from './durable/restate-program.ts';
import { hasRestate, startRestate, type RestateServer } from './durable/restate-server.ts';
import { ruleSteps, ruleWorkflow } from './durable/rule-workflow.ts';
import { sumSteps } from './durable/sum-workflow.ts';
import { expectedCounts, placesOf, recordOf } from './durable/world.ts';

const program = join(import.meta.dirname, 'durable/restate-program.ts');
const agents = placedLoops('Restate').map(({ loop: what, place }): RestateRun =>
  place === undefined ? { id: `${what} calm`, what } : { id: `${what} ${place}`, what, place },
);
const workflows: readonly RestateRun[] = [
  { id: 'sums calm', what: 'sums' },
  ...placesOf(sumSteps).map((place): RestateRun => ({ id: `sums ${place}`, what: 'sums', place })),
];
const ruled: readonly RestateRun[] = [
  { id: 'rules calm', what: 'rules' },
  ...placesOf(ruleSteps).map((place): RestateRun => ({ id: `rules ${place}`, what: 'rules', place })),
];
const runs: readonly RestateRun[] = [...agents, ...workflows, ...ruled];
const ruleRequest = (orders: readonly string[], timeoutMs = 600_000) => ({
  workflow: ruleWorkflow(timeoutMs),
  input: { orders, no: false },
});
const inputOf = ({ what }: RestateRun): unknown => (what === 'rules' ? ruleRequest(['A', 'B']) : what === 'sums' ? { a: 1, b: 2 } : what);

interface Entry {
  readonly id: string;
  readonly what?: string;
  readonly bytes?: string;
  readonly effect?: string;
  readonly waits?: true;
  readonly aborted?: true;
}

describe.runIf(hasRestate)('FLW-3 FLW-5: agents and workflow skills on a Restate server', () => {
  let folder: string;
  let port: number;
  let server: RestateServer;
  let service: ChildProcess;

  const startService = async (more: Readonly<Record<string, string>>): Promise<void> => {
    service = spawn(process.execPath, ['--conditions=@repertoire/source', program], {
      env: { ...process.env, PORT: String(port), LEDGER: join(folder, 'ledger'), RUNS: JSON.stringify(runs), ...more },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (service.stdout !== null) await Promise.race([once(service.stdout, 'data'), once(service, 'exit')]);
  };
  const call = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(server.ingress + path, { headers: { 'content-type': 'application/json' }, ...init });
    return await response.json();
  };
  const serviceOf = ({ what }: Pick<RestateRun, 'what'>): string => (what === 'sums' || what === 'rules' ? what : 'agent');
  const start = async (run: RestateRun, input: unknown): Promise<unknown> =>
    await call(`/${serviceOf(run)}/${encodeURIComponent(run.id)}/run/send`, { method: 'POST', body: JSON.stringify(input) });
  const resultOf = async (run: RestateRun): Promise<unknown> =>
    await call(`/restate/workflow/${serviceOf(run)}/${encodeURIComponent(run.id)}/attach`);
  const ledger = async (): Promise<Entry[]> =>
    (await readFile(join(folder, 'ledger'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Entry);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repertoire-restate-'));
    port = await freePort();
    server = await startRestate(folder);
    await startService({ HOLD: 'yes' });
    await server.register(`http://127.0.0.1:${port}`);
    for (const run of runs) await start(run, inputOf(run));
    // All runs are held at their places, each step that is done is recorded, and the service has killed itself.
    await once(service, 'exit');
    await server.kill();
    server = await startRestate(folder);
    await startService({});
  });
  afterAll(async () => {
    service.kill('SIGKILL');
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('FLW-5: service and server killed by SIGKILL, every loop, at every place: the same state, the same bytes to the model, only the step that was cut runs again', async () => {
    const results = new Map<string, unknown>();
    for (const run of agents) results.set(run.id, await resultOf(run));
    const entries = await ledger();
    expect(results.get('core calm')).toMatchObject({ text: 'Refunded.', loaded: ['refunds'] });
    for (const { id, what, place } of agents) {
      const calm = `${what} calm`;
      expect([id, results.get(id)]).toEqual([id, results.get(calm)]);
      const record = recordOf(notesOf(entries, id));
      expect([id, record.began]).toEqual([id, expectedCounts(place)]);
      expect([id, record.read]).toEqual([id, recordOf(notesOf(entries, calm)).read]);
      expect([id, [...effectsOf(entries, id)].toSorted()]).toEqual([id, [`${id}:2-charge`, `${id}:2-mail`]]);
    }
  });

  it('FLW-3: a workflow skill that changes, killed at every place: the output is that of the steps it began with, only the call that was cut runs again, with the same key', async () => {
    const expected = await resultOf({ id: 'sums calm', what: 'sums' });
    expect(expected).toMatchObject({ steps: { fan: { output: { x: { sum: 3 }, y: { sum: 4 }, z: { sum: 5 } } } } });
    const calls = ['fan/x', 'fan/y', 'fan/z', 'first'];
    for (const run of workflows) {
      // What was killed before it was recorded begins with the skill as it is by then.
      const begun = run.place === 'in begin workflow' ? JSON.parse(JSON.stringify(expected).replaceAll('Old.', 'New.')) : expected;
      expect([run.id, await resultOf(run)]).toEqual([run.id, begun]);
      const entries = await ledger();
      expect([run.id, recordOf(notesOf(entries, run.id)).began]).toEqual([run.id, expectedCounts(run.place, sumSteps)]);
      expect([run.id, [...effectsOf(entries, run.id)].toSorted()]).toEqual([run.id, calls.map((each) => `${run.id}:${each}`)]);
    }
  });

  it('FLW-6: a person, a condition, a list, attempts and a time limit, killed at every place: the same output, only the call that was cut runs again', async () => {
    for (const run of ruled) {
      const { id, place } = run;
      const steps = { ask: { output: true }, skipped: { output: null }, pay: { output: ['A', 'B'] } };
      expect([id, await resultOf(run)]).toEqual([id, { output: ['A', 'B'], steps }]);
      const entries = await ledger();
      const began = expectedCounts(place, ruleSteps);
      expect([id, recordOf(notesOf(entries, id)).began]).toEqual([id, began]);
      // The first attempt of each payment fails. Who is cut while a person is asked asks again.
      const { 'begin workflow': _record, ...calls } = began;
      const acted = Object.entries(calls).flatMap(([step, times]) =>
        Array.from({ length: step === 'ask' ? times : 2 * times }, () => step),
      );
      expect([id, effectsOf(entries, id, true).toSorted()]).toEqual([id, acted.map((step) => `${id}:${step}`)]);
    }
    const refused: RestateRun = { id: 'no', what: 'rules' };
    await start(refused, ruleRequest([]));
    expect(await resultOf(refused)).toMatchObject({ message: 'Step "ask" of the workflow "rules" failed. A person said no.' });
    const late: RestateRun = { id: 'late', what: 'rules' };
    await start(late, ruleRequest(['never'], 1));
    expect(await resultOf(late)).toMatchObject({ message: expect.stringContaining('0: No answer within 1 ms.') });
    expect(effectsOf(await ledger(), 'late', true)).toEqual(['late:ask', 'late:pay/0', 'late:pay/0']);
  });

  it('FLW-3: a workflow that fails ends, and is repeated as often as the host says: in a call, in a branch, and at a missing input', async () => {
    const failing: RestateRun = { id: 'fails', what: 'sums' };
    await start(failing, { a: 'broken', b: 1 });
    expect(await resultOf(failing)).toMatchObject({ message: 'Step "first" of the workflow "sums" failed. No numbers.' });
    const branch: RestateRun = { id: 'branch', what: 'sums' };
    // The sum of the first step is 1, which is the second number of the branch y.
    await start(branch, { a: 0, b: 1 });
    expect(await resultOf(branch)).toMatchObject({
      message: 'Step "fan" of the workflow "sums" failed. y: No numbers. 2 of 3 branches finished; their results are in error.branches.',
    });
    const refused: RestateRun = { id: 'refused', what: 'sums' };
    await start(refused, { a: 1 });
    expect(await resultOf(refused)).toMatchObject({
      message: 'The workflow "sums" needs $.input.b. Pass it in input; null counts as a value.',
    });
    const tried: RestateRun = { id: 'tried', what: 'sums' };
    await start(tried, { a: 'broken', b: 1, tries: 3 });
    expect(await resultOf(tried)).toMatchObject({ message: 'Step "first" of the workflow "sums" failed. No numbers.' });
    const entries = await ledger();
    expect(effectsOf(entries, 'fails', true)).toEqual(['fails:first']);
    expect(effectsOf(entries, 'tried', true)).toEqual(['tried:first', 'tried:first', 'tried:first']);
    expect(effectsOf(entries, 'branch', true).toSorted()).toEqual(['branch:fan/x', 'branch:fan/y', 'branch:fan/z', 'branch:first']);
    expect(effectsOf(entries, 'refused')).toEqual(new Set());
  });

  it.each([
    ['call', { a: 'wait', b: 1 }, ['first']],
    ['branch, with others that have not started', { a: 0, b: 7 }, ['first', 'fan/x']],
  ] as const)(
    'FLW-3: canceled in a %s, a workflow is canceled, its tool sees the signal, and nothing else starts',
    async (_where, input, calls) => {
      const run: RestateRun = { id: `canceled-${input.b}`, what: 'sums' };
      const { invocationId } = (await start(run, input)) as { invocationId: string };
      const told = async (isIt: (entry: Entry) => boolean): Promise<void> => {
        while (!(await ledger()).some((entry) => entry.id === run.id && isIt(entry))) await later(20);
      };
      await told(({ waits }) => waits === true);
      await server.cancel(invocationId);
      expect(await resultOf(run)).toMatchObject({ message: expect.stringMatching(/^cancel/i) });
      await told(({ aborted }) => aborted === true);
      expect(effectsOf(await ledger(), run.id, true)).toEqual(calls.map((each) => `${run.id}:${each}`));
    },
  );
});

function notesOf(entries: readonly Entry[], run: string): { what: string; bytes: string }[] {
  return entries.flatMap(({ id, what, bytes = '' }) => (id === run && what !== undefined ? [{ what, bytes }] : []));
}

function effectsOf(entries: readonly Entry[], run: string): Set<string>;
function effectsOf(entries: readonly Entry[], run: string, withRepeats: true): string[];
function effectsOf(entries: readonly Entry[], run: string, withRepeats = false): Set<string> | string[] {
  const effects = entries.flatMap(({ id, effect }) => (id === run && effect !== undefined ? [effect] : []));
  return withRepeats ? effects : new Set(effects);
}

async function freePort(): Promise<number> {
  const found = createServer().listen(0, '127.0.0.1');
  await once(found, 'listening');
  const { port } = found.address() as AddressInfo;
  found.close();
  await once(found, 'close');
  return port;
}
