/**
 * Two processes over one database that do the same thing at once, or things that exclude each other.
 *
 *     node --conditions=@repertoire/source e2e/chat/races.ts sqlite|postgres|FOLDER|URL [RACES]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UIMessage } from 'ai';
import { installedPostgres, startPostgres } from '../../test/support/postgres.ts';
import { bundleProgram } from './bundle-program.ts';
import { answered, openShop, said } from './shop-chat.ts';
import type { RaceTask } from './shop-racer.ts';

/** What came of all races. */
export interface RaceReport {
  readonly races: number;
  /** Requests that were answered, and those that were refused. */
  readonly answered: number;
  readonly refused: number;
  readonly broken: readonly string[];
}

export async function runRaces(place: string, count: number): Promise<RaceReport> {
  const program = await bundleProgram('shop-racer');
  const shop = await openShop({ place, leaseMs: 5000 });
  const report = { races: 0, answered: 0, refused: 0, broken: [] as string[] };
  const run = Math.random().toString(36).slice(2, 8);
  const racers: ChildProcess[] = [];
  try {
    for (let racer = 0; racer < 2; racer++) {
      const child = fork(program, [place]);
      racers.push(child);
      await once(child, 'message');
    }
    const race = async (tasks: readonly RaceTask[]): Promise<void> => {
      const answers = racers.map(async (racer) => (await once(racer, 'message')) as [{ status: number; error?: string }]);
      racers.forEach((racer, index) => racer.send(tasks[index] ?? {}));
      for (const [{ status, error }] of await Promise.all(answers)) {
        if (status === 200) report.answered += 1;
        else if (status === 409) report.refused += 1;
        else if (status !== 204) report.broken.push(`${tasks[0]?.id ?? ''}: ${status} ${error ?? ''}`);
      }
    };
    for (; report.races < count; report.races++) {
      const id = `${run}-${report.races}`;
      const note = { message: said(`note ${JSON.stringify({ order: `${id}-N` })}`, `${id}-first`) };
      const refund = { message: said(`load_skill {"name":"refunds"}\nrefund ${JSON.stringify({ order: `${id}-A` })}`, `${id}-first`) };
      const same = (body: unknown): RaceTask[] => [
        { id, body },
        { id, body },
      ];
      const kind = report.races % 4;
      if (kind === 0) await race(same(note));
      if (kind === 1) {
        const other = { message: said(`note ${JSON.stringify({ order: `${id}-M` })}`, `${id}-other`) };
        await race([
          { id, body: note },
          { id, body: other },
        ]);
      }
      if (kind >= 2) {
        await (await shop.send(id, refund)).text();
        const yes = { message: answered((await shop.messages(id)).at(-1) as UIMessage, true) };
        await race(
          kind === 2
            ? same(yes)
            : [
                { id, body: yes },
                { id, body: 'stop' },
              ],
        );
        // And once more, as a page does that has heard of nothing.
        if (report.races % 8 === 3) await race(same(yes));
      }
      const paid = (await shop.paid()).filter((what) => what.startsWith(`${id}-`));
      if (new Set(paid).size !== paid.length) report.broken.push(`${id}: made twice: ${paid.join(', ')}`);
      const next = await shop.send(id, { message: said('How far are we?', `${id}-on`) });
      if (next.status !== 200 || (await next.text()).includes('"type":"error"'))
        report.broken.push(`${id}: it does not go on: ${next.status}`);
    }
  } finally {
    for (const racer of racers) racer.kill('SIGKILL');
    await shop.close();
  }
  return report;
}

if (import.meta.main) {
  const [where = 'sqlite', races = '1000'] = process.argv.slice(2);
  const programs = installedPostgres();
  const postgres = where === 'postgres' && programs !== undefined ? await startPostgres(programs) : undefined;
  const place = postgres?.url ?? (where === 'sqlite' ? mkdtempSync(join(tmpdir(), 'chat-races-')) : where);
  const report = await runRaces(place, Number(races));
  for (const what of report.broken) process.stdout.write(`${what}\n`);
  process.stdout.write(`${report.races} races: ${report.answered} answered, ${report.refused} refused, ${report.broken.length} broken\n`);
  await postgres?.[Symbol.asyncDispose]();
  process.exitCode = report.broken.length === 0 ? 0 : 1;
}
