import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedPostgres } from '../src/pglite.ts';
import { testCalls } from './programs/test-skill.ts';
import { runProgram } from '../../../test/support/run-program.ts';

const program = join(import.meta.dirname, 'programs/embedded-program.ts');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repertoire-embedded-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

describe('DBOS on the embedded PostgreSQL', { timeout: 120_000 }, () => {
  it('FLW-3: killed in a step and started again, it finishes; steps that were recorded run once', async () => {
    const settings = { FOLDER: folder, RUN: 'kills' };
    expect((await runProgram(program, { ...settings, START: 'yes', KILL: 'begin fan/y' })).signal).toBe('SIGKILL');
    const { stdout } = await runProgram(program, settings);
    expect(JSON.parse(stdout)).toMatchObject({ steps: { last: { output: { sum: 8 } } } });

    await using postgres = await embeddedPostgres({ folder });
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const { rows } = await client.query<{ what: string }>('select what from ledger order by n');
    await client.end();
    expect(rows.map(({ what }) => what).filter((what) => what.startsWith('begin '))).toEqual(
      testCalls.flatMap((call) => (call === 'fan/y' ? [`begin ${call}`, `begin ${call}`] : [`begin ${call}`])),
    );
  });

  it('FLW-3: queries of several connections at once do not read each other’s statements', async () => {
    await using postgres = await embeddedPostgres({ folder: join(folder, 'at-once') });
    const pool = new pg.Pool({ connectionString: postgres.url, max: 8 });
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    const rows = await Promise.all(
      numbers.map(
        async (number) =>
          (await pool.query<{ n: number; text: string }>('select $1::int as n, $2::text as text', [number, 'x'.repeat(number)])).rows[0],
      ),
    );
    await pool.end();
    expect(rows).toEqual(numbers.map((n) => ({ n, text: 'x'.repeat(n) })));
  });

  it('FLW-3: two users of one folder would destroy its data: the second one is refused, a dead one is not in the way', async () => {
    const own = join(folder, 'postgres');
    await using first = await embeddedPostgres({ folder });
    expect(first.url).toContain('postgresql://');
    await expect(embeddedPostgres({ folder })).rejects.toMatchObject({ code: 'source-unavailable' });
    if (process.platform !== 'win32') expect((await stat(own)).mode & 0o077).toBe(0);
    const other = join(folder, 'other');
    await (await embeddedPostgres({ folder: other }))[Symbol.asyncDispose]();
    // Process 1 is alive and is not this one.
    await writeFile(join(other, 'postgres/process.pid'), '1');
    await expect(embeddedPostgres({ folder: other })).rejects.toThrow('is in use by process 1. Stop that process');
    // A process that has made the file, and is about to write its number.
    await writeFile(join(other, 'postgres/process.pid'), '');
    const late = expect(embeddedPostgres({ folder: other })).rejects.toThrow('is in use by process 1. Stop that process');
    await writeFile(join(other, 'postgres/process.pid'), '1');
    await late;
    await writeFile(join(other, 'postgres/process.pid'), 'no number');
    await (await embeddedPostgres({ folder: other }))[Symbol.asyncDispose]();
  });
});
