import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { libraries } from '@repertoire/skills-testkit/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isTried } from '../test/support/property-runs.ts';
import { placedLoops, type PlacedLoop } from './durable/placed-loops.ts';
import { expectedCounts, isSettled, recordOf } from './durable/world.ts';
import { plainHost } from './parity/host.ts';
import { httpSource, serveOverHttp } from './parity/sources/http.ts';
import { inCodeSource } from './parity/sources/in-code.ts';
import type { Served } from './parity/sources/serve.ts';
import { openLibraries } from './parity/sources/source.ts';
import { ownWranglerFolder, type OwnWranglerFolder } from './own-wrangler-folder.ts';
import type { RunningWorker } from './wrangler-dev.ts';

interface Status {
  readonly status: string;
  readonly output?: unknown;
  readonly error?: unknown;
}
interface Entry {
  readonly what: string;
  readonly bytes: string;
}
interface Run extends PlacedLoop {
  readonly id: string;
}

const folder = join(import.meta.dirname, 'durable/cloudflare');
// Ids of instances are letters, digits and dashes.
const idOf = (...parts: readonly string[]): string => parts.join(' ').replaceAll(/[^A-Za-z0-9]+/g, '-');
const runs: readonly Run[] = placedLoops('Cloudflare').map(({ loop, place }) =>
  place === undefined ? { id: idOf(loop, 'calm'), loop } : { id: idOf(loop, place), loop, place },
);

let own: OwnWranglerFolder;
let worker: RunningWorker;
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
  const { status, output, error } = await until<Status>(`/status?${id}`, (told) => ['complete', 'errored'].includes(told.status));
  return { status, output, error };
};
const start = async (id: string, body: unknown): Promise<Response> =>
  await send(`/start?${id}`, { method: 'POST', body: JSON.stringify(body) });

beforeAll(async () => {
  own = await ownWranglerFolder(folder);
  worker = await own.start({ variables: { HOLD: 'yes' } });
  for (const { id, loop, place } of runs) await start(`id=${id}`, { loop, place });
  for (const { id, place } of runs) {
    if (place === undefined) await ended(`id=${id}`);
    else
      await until<Entry[]>(`/ledger?id=${id}`, (entries) =>
        isSettled(
          place,
          entries.map(({ what }) => what),
        ),
      );
  }
  await worker.kill();
  worker = await own.start();
});
afterAll(async () => {
  await worker.kill();
  await own[Symbol.asyncDispose]();
});

it('FLW-5: agents as Cloudflare Workflows in workerd, killed by SIGKILL at every place: the same state, the same bytes to the model, only the step that was cut runs again', async () => {
  // After a kill inside a step, the local runtime waits for something to happen to the instance.
  for (const { id, place } of runs) if (place !== undefined) await send(`/wake?id=${id}`);
  for (const { id, loop, place } of runs) {
    const calm = idOf(loop, 'calm');
    expect([id, await ended(`id=${id}`)]).toEqual([id, await ended(`id=${calm}`)]);
    const record = recordOf(await ask<Entry[]>(`/ledger?id=${id}`));
    expect([id, record.began]).toEqual([id, expectedCounts(place)]);
    expect([id, record.read]).toEqual([id, recordOf(await ask<Entry[]>(`/ledger?id=${calm}`)).read]);
    expect(await ask<string[]>(`/effects?id=${id}`)).toEqual([`${id}:2-charge`, `${id}:2-mail`]);
  }
  expect(await ended(`id=${idOf('core', 'calm')}`), 'S3-41').toMatchObject({
    status: 'complete',
    output: { text: 'Refunded.', loaded: ['refunds'] },
  });
});

describe('ADP-6 FLW-5: the conversation of `e2e/parity` as a Cloudflare Workflow', () => {
  const served: Served[] = [];
  const http: Record<string, string> = {};
  beforeAll(async () => {
    for (const library of libraries) {
      const server = await serveOverHttp(library);
      served.push(server);
      http[library.label] = server.url;
    }
  });
  afterAll(async () => {
    for (const { close } of served) await close();
  });

  const sources = ['in code', 'http'] as const;
  it.each(
    (['core', 'AI SDK'] as const).flatMap((loop, place) =>
      (['usual', 'unusual', 'extended'] as const).flatMap((variant, which) =>
        sources
          .filter((_, last) => isTried({ last, size: sources.length }, place, which))
          .map((source) => [loop, source, variant] as const),
      ),
    ),
  )(
    'ADP-6 FLW-5: as a Cloudflare Workflow, the loop of %s over %s gives the model the same bytes, in the same states (%s)',
    async (loop, source, variant) => {
      const opened = await openLibraries(source === 'http' ? httpSource : inCodeSource);
      const reference = await plainHost.play(opened.provider, variant);
      await opened.close();
      const id = `parity&id=${idOf(loop, source, variant)}`;
      await start(id, { loop, variant, ...(source === 'http' && { http }) });
      expect(await ended(id)).toMatchObject({ status: 'complete' });
      const entries = await ask<Entry[]>(`/ledger?${id}`);
      const calls = JSON.parse(JSON.stringify(reference)) as unknown[];
      expect(entries.map(({ what, bytes }) => [what, JSON.parse(bytes)])).toEqual(calls.map((call, at) => [`call ${at}`, call]));
    },
  );
});
