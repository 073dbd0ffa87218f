import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { createStorage } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { postgresApprovalStore, sqliteApprovalStore, unstorageApprovalStore } from '../examples/approvals/src/stores.ts';
import { fileApprovalStore } from '@repertoire/skill-fs';
import { bundleProgram } from '../test/support/bundle-program.ts';
import { startTestPostgres, type Postgres } from '../test/support/postgres.ts';
import { runProgram } from '../test/support/run-program.ts';
import type { LangGraphAgentRun } from './durable/langgraph-agent-program.ts';
import type { LangGraphRun } from './durable/langgraph-program.ts';
import { placedLoops } from './durable/placed-loops.ts';
import type { RefundResult } from './durable/refund-agent.ts';
import { expectStore } from './expect-approval-store.ts';
import { expectedCounts, recordOf } from './durable/world.ts';

const programOf = async (name: string): Promise<string> => await bundleProgram(join(import.meta.dirname, 'durable', name));
const [chatAgents, durableAgents] = await Promise.all([programOf('langgraph-program.ts'), programOf('langgraph-agent-program.ts')]);
const steps = ['model 0', 'model 1', 'model 2', 'charge', 'mail', 'file', 'model 3'] as const;
const runs: readonly LangGraphRun[] = [{ id: 'calm' }, ...[...steps, 'skill'].map((place) => ({ id: `held in ${place}`, place }))];

/** One server for all tests of this file: each has tables and threads of its own. */
let postgres: Postgres;
beforeAll(async () => void (postgres = await startTestPostgres()));
afterAll(async () => await postgres[Symbol.asyncDispose]());

it('FLW-5: an agent of LangChain with checkpoints in PostgreSQL, killed by SIGKILL in every step: the same state, the same bytes to the model; the call that was cut runs again, its siblings do not', async () => {
  const settings = { DATABASE_URL: postgres.url, RUNS: JSON.stringify(runs) };
  const killed = await runProgram(chatAgents, { ...settings, HOLD: 'yes' });
  expect([killed.signal, killed.stdout]).toEqual(['SIGKILL', '']);
  const ended = await runProgram(chatAgents, settings);
  expect(ended).toMatchObject({ code: 0 });
  const results = JSON.parse(ended.stdout) as Record<string, unknown>;
  expect(results['calm']).toMatchObject({ text: 'Refunded.', loaded: ['refunds'] });

  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const rowsOf = async (id: string) =>
    (await client.query<{ what: string; bytes: string }>('select what, bytes from graph_ledger where run = $1 order by n', [id])).rows;
  const readOf = async (id: string): Promise<string[]> => [
    ...new Set((await rowsOf(id)).filter(({ what }) => what.startsWith('model')).map(({ what, bytes }) => `${what}: ${bytes}`)),
  ];
  for (const { id, place } of runs) {
    expect([id, results[id]]).toEqual([id, results['calm']]);
    const rows = await rowsOf(id);
    const counts = Object.fromEntries(steps.map((step) => [step, rows.filter(({ what }) => what === step).length]));
    expect([id, counts]).toEqual([id, Object.fromEntries(steps.map((step) => [step, step === place ? 2 : 1]))]);
    expect([id, await readOf(id)]).toEqual([id, await readOf('calm')]);
    const { rows: effects } = await client.query<{ key: string }>('select key from graph_effects where key like $1 order by key', [
      `${id}:%`,
    ]);
    expect(effects.map(({ key }) => key)).toEqual([`${id}:2-charge`, `${id}:2-mail`]);
  }
  await client.end();
});

it('FLW-5: durable agents as tasks of LangGraph with checkpoints in PostgreSQL, every loop, killed by SIGKILL at every place: the same state, the same bytes to the model, and only the step that was cut runs again', async () => {
  const agents = placedLoops('LangGraph').map(({ loop, place }): LangGraphAgentRun =>
    place === undefined ? { id: `${loop} calm`, loop } : { id: `${loop} ${place}`, loop, place },
  );
  const settings = { DATABASE_URL: postgres.url, RUNS: JSON.stringify(agents) };
  const killed = await runProgram(durableAgents, { ...settings, HOLD: 'yes' });
  expect([killed.signal, killed.stdout]).toEqual(['SIGKILL', '']);
  const ended = await runProgram(durableAgents, settings);
  expect(ended).toMatchObject({ code: 0 });
  const results = JSON.parse(ended.stdout) as Record<string, RefundResult>;
  expect(results['core calm']).toMatchObject({ text: 'Refunded.', loaded: ['refunds'] });

  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const rowsOf = async (id: string) =>
    (await client.query<{ what: string; bytes: string }>('select what, bytes from agent_ledger where run = $1 order by n', [id])).rows;
  for (const { id, loop, place } of agents) {
    expect([id, results[id]]).toEqual([id, results[`${loop} calm`]]);
    const record = recordOf(await rowsOf(id));
    expect([id, record.began]).toEqual([id, expectedCounts(place)]);
    expect([id, record.read]).toEqual([id, recordOf(await rowsOf(`${loop} calm`)).read]);
    const { rows } = await client.query<{ key: string }>('select key from effects where run = $1 order by key', [id]);
    // `<thread>:<run>:<call>`
    expect(rows.map(({ key }) => [key.slice(0, id.length + 1), key.slice(key.lastIndexOf(':'))])).toEqual([
      [`${id}:`, ':2-charge'],
      [`${id}:`, ':2-mail'],
    ]);
    expect(new Set(rows.map(({ key }) => key.slice(0, key.lastIndexOf(':')))).size).toBe(1);
  }
  await client.end();
});

it('APR-4: answers in PostgreSQL count in another process until the content changes, for one tenant alone', async () => {
  const pool = new pg.Pool({ connectionString: postgres.url });
  await pool.query('create table approvals (key text primary key, value text not null)');
  try {
    await expectStore(postgresApprovalStore(pool));
  } finally {
    await pool.end();
  }
});

it('APR-4, GOV-17: answers in unstorage do so too, in SQLite, and in a file; a driver that cannot take is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'approvals-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await expectStore(unstorageApprovalStore(createStorage()));
  expect(() => unstorageApprovalStore(createStorage({ driver: fsDriver({ base: folder }) }))).toThrow(/cannot read and delete in one step/);
  const database = new DatabaseSync(join(folder, 'approvals.sqlite'));
  await expectStore(sqliteApprovalStore(database));
  database.close();
  await expectStore(fileApprovalStore(join(folder, 'approvals.json')));
});
