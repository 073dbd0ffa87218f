import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { loops, type Loop } from './durable/refund-agent.ts';
import { expectedCounts, isSettled, places, recordOf } from './durable/world.ts';
import { wranglerDev, type WranglerDev } from './wrangler-dev.ts';

interface Status {
  readonly status: string;
  readonly output?: unknown;
  readonly error?: unknown;
}
interface Entry {
  readonly what: string;
  readonly bytes: string;
}
interface Run {
  readonly id: string;
  readonly loop: Loop;
  readonly place?: string;
}

const folder = join(import.meta.dirname, 'durable/cloudflare');
// Ids of instances are letters, digits and dashes.
const idOf = (...parts: readonly string[]): string => parts.join(' ').replaceAll(/[^A-Za-z0-9]+/g, '-');
const runs: readonly Run[] = (['core', 'generateText'] as const).flatMap((loop) => [
  { id: idOf(loop, 'calm'), loop },
  ...places.map((place) => ({ id: idOf(loop, place), loop, place })),
]);
const others = loops.filter((loop) => !runs.some((run) => run.loop === loop)).map((loop): Run => ({ id: idOf(loop), loop }));

it('FLW-5: agents as Cloudflare Workflows in workerd, killed by SIGKILL at every place: the same state, the same bytes to the model, only the step that was cut runs again', async () => {
  const persistTo = await mkdtemp(join(tmpdir(), 'agents-'));
  let worker: WranglerDev = await wranglerDev(folder, { persistTo, variables: { HOLD: 'yes' } });
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(worker.url + path, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}\n${worker.output()}`);
    return response;
  };
  const ask = async <Answer>(path: string): Promise<Answer> => (await (await send(path)).json()) as Answer;
  const until = async <Answer>(path: string, isRight: (answer: Answer) => boolean): Promise<Answer> => {
    for (;;) {
      const answer = await ask<Answer>(path);
      if (isRight(answer)) return answer;
      await later(50);
    }
  };
  const ended = async (id: string): Promise<Status> => {
    const { status, output, error } = await until<Status>(`/status?id=${id}`, (told) => ['complete', 'errored'].includes(told.status));
    return { status, output, error };
  };
  const start = async ({ id, loop, place }: Run): Promise<Response> =>
    await send(`/start?id=${id}`, { method: 'POST', body: JSON.stringify({ loop, place }) });

  try {
    for (const run of runs) await start(run);
    for (const { id, place } of runs) {
      if (place === undefined) await ended(id);
      else
        await until<Entry[]>(`/ledger?id=${id}`, (entries) =>
          isSettled(
            place,
            entries.map(({ what }) => what),
          ),
        );
    }
    await worker.kill();

    worker = await wranglerDev(folder, { persistTo });
    // After a kill inside a step, the local runtime waits for something to happen to the instance.
    for (const { id, place } of runs) if (place !== undefined) await send(`/wake?id=${id}`);
    for (const { id, loop, place } of runs) {
      const calm = idOf(loop, 'calm');
      expect([id, await ended(id)]).toEqual([id, await ended(calm)]);
      const record = recordOf(await ask<Entry[]>(`/ledger?id=${id}`));
      expect([id, record.began]).toEqual([id, expectedCounts(place)]);
      expect([id, record.read]).toEqual([id, recordOf(await ask<Entry[]>(`/ledger?id=${calm}`)).read]);
      expect(await ask<string[]>(`/effects?id=${id}`)).toEqual([`${id}:2-charge`, `${id}:2-mail`]);
    }
    for (const run of others) {
      await start(run);
      expect(await ended(run.id)).toMatchObject({ status: 'complete', output: { text: 'Refunded.', loaded: ['refunds'] } });
    }
    expect(await ended(idOf('core', 'calm')), 'S3-41').toMatchObject({
      status: 'complete',
      output: { text: 'Refunded.', loaded: ['refunds'] },
    });
  } finally {
    await worker.kill();
    await rm(persistTo, { recursive: true });
  }
});
