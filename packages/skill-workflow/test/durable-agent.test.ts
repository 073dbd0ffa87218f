import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPostgres, type Postgres } from '../../../test/support/postgres.ts';
import { runProgram, type EndedProgram } from '../../../test/support/run-program.ts';

const program = join(import.meta.dirname, 'programs/dbos-agent-program.ts');
/** The steps of a run, in order. The first call of `charge` is refused by its gate, and is no step. */
const steps = ['list', 'model 0', 'model 1', 'call-1-load_skill', 'model 2', 'call-2-charge', 'call-2-mail', 'model 4'];
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
const entries = async (run: string, what: string): Promise<{ what: string; bytes: string }[]> =>
  (
    await ledger.query<{ what: string; bytes: string }>('select what, bytes from agent_ledger where run = $1 and what like $2 order by n', [
      run,
      what,
    ])
  ).rows;
const effects = async (run: string): Promise<string[]> =>
  (await ledger.query<{ key: string }>('select key from effects where key like $1 order by key', [`${run}:%`])).rows.map(({ key }) => key);
/** What the model read, by turn: each turn once, or an error where it read two things. */
async function bytesOf(run: string): Promise<Record<string, string>> {
  const read: Record<string, string> = {};
  for (const { what, bytes } of await entries(run, 'bytes %')) {
    if (read[what] !== undefined && read[what] !== bytes) throw new Error(`${what} differs.`);
    read[what] = bytes;
  }
  return read;
}

describe('an agent with skills as a workflow of DBOS, killed by SIGKILL', { timeout: 180_000 }, () => {
  it('FLW-5: killed behind each step, it ends in the same state, with the same bytes to the model, and every step runs once', async () => {
    const calm = await start({ RUN: 'calm', START: 'yes' });
    expect(JSON.parse(calm.stdout)).toMatchObject({ text: 'Refunded.', loaded: ['refunds'] });

    const deaths: (string | null)[] = [];
    for (const [index, name] of steps.entries())
      deaths.push((await start({ RUN: 'killed', KILL: `recorded ${name}`, ...(index === 0 && { START: 'yes' }) })).signal);
    expect(deaths).toEqual(steps.map(() => 'SIGKILL'));
    const last = await start({ RUN: 'killed' });
    expect(last.stdout).toBe(calm.stdout);
    expect((await entries('killed', 'begin %')).map(({ what }) => what)).toEqual(steps.map((name) => `begin ${name}`));
    expect(await bytesOf('killed')).toEqual(await bytesOf('calm'));
    expect(await effects('killed')).toEqual(['killed:call-2-charge', 'killed:call-2-mail']);
  });

  it('FLW-5: killed in steps, these run again and nothing else; a key keeps a tool from acting twice; a changed skill changes nothing', async () => {
    const kills = ['in model 1', 'in call-2-charge', 'in model 4'];
    for (const [index, place] of kills.entries()) {
      // The load was recorded in the second process, so the body of the third does not count.
      const ended = await start({
        RUN: 'cut',
        KILL: place,
        ...(index === 0 && { START: 'yes' }),
        ...(index === 2 && { BODY: 'Never mail.' }),
      });
      expect(ended.signal).toBe('SIGKILL');
    }
    const last = await start({ RUN: 'cut', BODY: 'Never mail.' });
    expect(JSON.parse(last.stdout)).toMatchObject({ text: 'Refunded.', loaded: ['refunds'] });
    const begun = (await entries('cut', 'begin %')).map(({ what }) => what.slice('begin '.length));
    expect(Object.fromEntries(steps.map((name) => [name, begun.filter((each) => each === name).length]))).toEqual({
      ...Object.fromEntries(steps.map((name) => [name, 1])),
      ...Object.fromEntries(kills.map((place) => [place.slice('in '.length), 2])),
    });
    expect(await bytesOf('cut')).toEqual(await bytesOf('calm'));
    expect(await effects('cut')).toEqual(['cut:call-2-charge', 'cut:call-2-mail']);
  });
});
