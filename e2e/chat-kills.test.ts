import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlChatStore } from '@repertoire/adapter-vercel-ai/chat';
import { Client } from 'pg';
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

  it.skipIf(installedPostgres() === undefined)(
    'HST-1: PostgreSQL: tables are made by many at once, and used by a role that may make none',
    async () => {
      await using postgres = await startPostgres(installedPostgres() ?? '');
      const clients = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const client = new Client(postgres.url);
          await client.connect();
          return client;
        }),
      );
      const [owner] = clients;
      await using closing = new AsyncDisposableStack();
      for (const client of clients) closing.defer(() => client.end());
      const key = { person: 'ann', chat: 'one' };
      const taken = await Promise.all(clients.map((client, index) => sqlChatStore(client).take(key, `writer-${index}`, 60_000)));
      expect(taken.filter((each) => each !== 'busy')).toHaveLength(1);
      await owner?.query('CREATE ROLE clerk');
      await owner?.query('GRANT ALL ON ALL TABLES IN SCHEMA public TO clerk');
      await owner?.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
      await owner?.query('SET ROLE clerk');
      expect(await sqlChatStore(owner as Client).read(key)).toMatchObject({ messages: [] });
      await owner?.query('RESET ROLE');
      await owner?.query('DROP TABLE skill_chat_entries');
      await owner?.query('SET ROLE clerk');
      await expect(sqlChatStore(owner as Client).read(key)).rejects.toThrow('permission denied');
    },
  );
});
