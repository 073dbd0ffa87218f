import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedPostgres } from '@repertoire/skill-workflow/pglite';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { bundleProgram } from '../test/support/bundle-program.ts';
import { copyPgliteData } from '../test/support/pglite-data.ts';
import { startTestPostgres } from '../test/support/postgres.ts';
import { runProgram, type EndedProgram } from '../test/support/run-program.ts';
import type { DbosRun } from './durable/dbos-program.ts';
import { placedLoops, type PlacedLoop } from './durable/placed-loops.ts';
import type { RefundResult } from './durable/refund-agent.ts';
import { expectedCounts, recordOf } from './durable/world.ts';

const program = await bundleProgram(join(import.meta.dirname, 'durable/dbos-program.ts'), ['@opentelemetry/*']);
const runOf = ({ loop, place }: PlacedLoop): DbosRun =>
  place === undefined ? { id: `${loop} calm`, loop } : { id: `${loop} ${place}`, loop, place };

/** Starts the runs, which all die at once at their places; and a second process, which ends them. */
async function killAndRecover(
  runs: readonly DbosRun[],
  environment: Readonly<Record<string, string>>,
): Promise<Record<string, RefundResult>> {
  const start = async (more: Readonly<Record<string, string>>): Promise<EndedProgram> =>
    await runProgram(program, { RUNS: JSON.stringify(runs), ...environment, ...more });
  const killed = await start({ START: 'yes', HOLD: 'yes' });
  expect([killed.signal, killed.stdout]).toEqual(['SIGKILL', '']);
  // What was read before does not change with the skill.
  const ended = await start(
    runs.every(({ place }) => place === undefined || place.startsWith('behind call 2')) ? { BODY: 'Never mail.' } : {},
  );
  expect(ended).toMatchObject({ code: 0 });
  return JSON.parse(ended.stdout) as Record<string, RefundResult>;
}

async function expectTheSame(runs: readonly DbosRun[], results: Record<string, RefundResult>, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const rowsOf = async (id: string) =>
    (await client.query<{ what: string; bytes: string }>('select what, bytes from agent_ledger where run = $1 order by n', [id])).rows;
  for (const { id, loop, place } of runs) {
    const calm = `${loop} calm`;
    expect([id, results[id]]).toEqual([id, results[calm]]);
    const record = recordOf(await rowsOf(id));
    expect([id, record.began]).toEqual([id, expectedCounts(place)]);
    expect([id, record.read]).toEqual([id, recordOf(await rowsOf(calm)).read]);
    const { rows } = await client.query<{ key: string }>('select key from effects where key like $1 order by key', [`${id}:%`]);
    expect(rows.map(({ key }) => key)).toEqual([`${id}:2-charge`, `${id}:2-mail`]);
  }
  await client.end();
}

describe('FLW-5: agents as workflows of DBOS, killed by SIGKILL', () => {
  it('FLW-5: on PostgreSQL, every loop, at every place: the same state, the same bytes to the model, and only the step that was cut runs again', async () => {
    await using postgres = await startTestPostgres();
    const runs = placedLoops('DBOS').map(runOf);
    const results = await killAndRecover(runs, { DATABASE_URL: postgres.url });
    expect(results['core calm']).toMatchObject({ text: 'Refunded.', loaded: ['refunds'] });
    await expectTheSame(runs, results, postgres.url);
  });

  it('FLW-5: on PGlite, inside the process that dies; a body that changed since it was read changes nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repertoire-agent-'));
    await copyPgliteData(folder);
    const loop = 'generateText';
    const runs = [runOf({ loop }), runOf({ loop, place: 'behind call 2-read_skill_file' })];
    const results = await killAndRecover(runs, { FOLDER: folder });
    await using postgres = await embeddedPostgres({ folder });
    await expectTheSame(runs, results, postgres.url);
    await rm(folder, { recursive: true });
  });
});
