import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { httpSource, serveOverHttp } from './parity/sources/http.ts';
import { inCodeSource } from './parity/sources/in-code.ts';
import type { Served } from './parity/sources/serve.ts';
import { openLibraries } from './parity/sources/source.ts';
import { wranglerDev, type WranglerDev } from './wrangler-dev.ts';
import { libraries } from '@repertoire/skills-testkit/internal';
import { plainHost } from './parity/host.ts';

const served: Served[] = [];
const http: Record<string, string> = {};
let persistTo: string;
let worker: WranglerDev;

beforeAll(async () => {
  for (const library of libraries) {
    const server = await serveOverHttp(library);
    served.push(server);
    http[library.label] = server.url;
  }
  persistTo = await mkdtemp(join(tmpdir(), 'parity-'));
  worker = await wranglerDev(join(import.meta.dirname, 'durable/cloudflare'), { persistTo });
});
afterAll(async () => {
  await worker.kill();
  for (const { close } of served) await close();
  await rm(persistTo, { recursive: true });
});

it.each(
  (['core', 'AI SDK'] as const).flatMap((loop) =>
    (['usual', 'unusual', 'extended'] as const).flatMap((variant) =>
      (['in code', 'http'] as const).map((source) => [loop, source, variant] as const),
    ),
  ),
)(
  'ADP-6 FLW-5: as a Cloudflare Workflow, the loop of %s over %s gives the model the same bytes, in the same states (%s)',
  async (loop, source, variant) => {
    const opened = await openLibraries(source === 'http' ? httpSource : inCodeSource);
    const reference = await plainHost.play(opened.provider, variant);
    await opened.close();
    const id = `${loop}-${source}-${variant}`.replaceAll(' ', '-');
    const ask = async (path: string, body?: unknown): Promise<Response> =>
      await fetch(`${worker.url}${path}?parity&id=${id}`, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });
    await ask('/start', { loop, variant, ...(source === 'http' && { http }) });
    let status = '';
    while (!['complete', 'errored'].includes(status)) {
      await later(50);
      ({ status } = (await (await ask('/status')).json()) as { readonly status: string });
    }
    expect(status).toBe('complete');
    expect(await (await ask('/ledger')).json()).toEqual(JSON.parse(JSON.stringify(reference)));
  },
);
