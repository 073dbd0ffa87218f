import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { installedPostgres, startPostgres } from '../test/support/postgres.ts';
import { runKills } from './chat/kills.ts';
import { runRaces } from './chat/races.ts';

/** A small share of what `e2e/chat/kills.ts` and `e2e/chat/races.ts` do when they are started for themselves. */
const kills = 16;
const races = 16;

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'chat-kills-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe('chats whose processes are lost', () => {
  it('HST-2: on SQLite, no conversation ends, no call is made twice, and none that ran is shown as not run', async () => {
    const report = await runKills(await folder(), kills);
    expect([report.broken, report.kills]).toEqual([[], kills]);
  });

  it('HST-2: two processes over one file double nothing', async () => {
    const report = await runRaces(await folder(), races);
    expect([report.broken, report.refused > 0]).toEqual([[], true]);
  });

  it.skipIf(installedPostgres() === undefined)('HST-2: the same on PostgreSQL', async () => {
    await using postgres = await startPostgres(installedPostgres() ?? '');
    expect((await runKills(postgres.url, kills / 2)).broken).toEqual([]);
    expect((await runRaces(postgres.url, races)).broken).toEqual([]);
  });
});
