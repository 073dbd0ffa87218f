import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passwordDoor } from '../src/node/password-door.ts';
import { embeddedPostgres, type EmbeddedPostgres } from '../src/pglite.ts';
import { testCalls } from './programs/test-skill.ts';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { copyPgliteData } from '../../../test/support/pglite-data.ts';
import { runProgram } from '../../../test/support/run-program.ts';

const program = await bundleProgram(join(import.meta.dirname, 'programs/embedded-program.ts'), ['@opentelemetry/*']);
let folder: string;

let opened: Promise<EmbeddedPostgres> | undefined;
/** The one of this process, which the tests share: each start takes a second of CPU. */
const shared = (): Promise<EmbeddedPostgres> => (opened ??= embeddedPostgres({ folder }));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repertoire-embedded-'));
  await copyPgliteData(folder);
});
afterAll(async () => {
  await (await opened)?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('DBOS on the embedded PostgreSQL', () => {
  it('FLW-3: killed in a step and started again, it finishes; steps that were recorded run once', async () => {
    const settings = { FOLDER: folder, RUN: 'kills' };
    expect((await runProgram(program, { ...settings, START: 'yes', KILL: 'begin fan/y' })).signal).toBe('SIGKILL');
    const { stdout } = await runProgram(program, settings);
    expect(JSON.parse(stdout)).toMatchObject({ steps: { last: { output: { sum: 8 } } } });

    const client = new pg.Client({ connectionString: (await shared()).url });
    await client.connect();
    const { rows } = await client.query<{ what: string }>('select what from ledger order by n');
    await client.end();
    expect(rows.map(({ what }) => what).filter((what) => what.startsWith('begin '))).toEqual(
      testCalls.flatMap((call) => (call === 'fan/y' ? [`begin ${call}`, `begin ${call}`] : [`begin ${call}`])),
    );
  });

  it('FLW-3: queries of several connections at once do not read each other’s statements', async () => {
    const pool = new pg.Pool({ connectionString: (await shared()).url, max: 8 });
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
    const other = join(folder, 'other');
    await copyPgliteData(other);
    expect((await shared()).url).toContain('postgresql://');
    await expect(embeddedPostgres({ folder })).rejects.toMatchObject({ code: 'source-unavailable' });
    if (process.platform !== 'win32') expect((await stat(own)).mode & 0o077).toBe(0);
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
    expect((await readdir(join(other, 'postgres'))).filter((name) => name.startsWith('process'))).toEqual([]);
  });

  it('FLW-3: nobody reaches it without a password, however long the path of its folder is (ATK-68)', async () => {
    const long = join(folder, 'long'.repeat(30));
    await copyPgliteData(long);
    const postgres = await embeddedPostgres({ folder: long });
    const url = new URL(postgres.url);
    const sockets = url.searchParams.get('host') ?? '';
    // A socket in a folder of this user, and no port.
    expect((await stat(sockets)).mode & 0o077).toBe(0);
    expect(join(sockets, '.s.PGSQL.5432').length).toBeLessThan(104);
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    await postgres[Symbol.asyncDispose]();
    await expect(stat(sockets)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('FLW-3: a port, which Windows needs, asks for the password before anything else (ATK-69)', async () => {
    const socket = join(new URL((await shared()).url).searchParams.get('host') ?? '', '.s.PGSQL.5432');
    await using door = await passwordDoor(socket);
    const ask = async (password: string | undefined): Promise<unknown> => {
      const client = new pg.Client({ host: '127.0.0.1', port: door.port, user: 'postgres', database: 'postgres', password });
      try {
        await client.connect();
        return (await client.query('select $1::int as n', [7])).rows;
      } catch (error) {
        return (error as { code?: string; message: string }).code ?? (error as Error).message;
      } finally {
        await client.end().catch(() => undefined);
      }
    };
    expect(await ask(door.password)).toEqual([{ n: 7 }]);
    expect(await ask('wrong')).toBe('28P01');
    expect(await ask(undefined)).toBe('28P01');
    // What skips the question is cut off.
    for (const first of [
      Buffer.from('Q\0\0\0\x0fselect 1;\0'),
      Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2e]),
      Buffer.alloc(20, 0xff),
    ]) {
      const raw = connect(door.port, '127.0.0.1');
      let got = '';
      raw.on('data', (data) => (got += data.toString('latin1')));
      raw.on('error', () => undefined);
      const closed = once(raw, 'close');
      raw.write(first);
      await closed;
      expect(got).toBe('');
    }
  });
});
