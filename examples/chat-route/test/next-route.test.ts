import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as NextRoute from '../src/next-route.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

describe('the route handlers of Next.js', () => {
  let folder: string;
  let route: typeof NextRoute;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'next-route-'));
    vi.stubEnv('CHAT_DATABASE', join(folder, 'chat.sqlite'));
    vi.stubEnv('APPROVAL_SECRET', 'a secret of at least 32 characters');
    route = await import('../src/next-route.ts');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  it('ADP-4, GOV-10: answer the requests of a page, and nobody without a sign-in', async () => {
    const ask = (method: string, path: string, person: string, body?: unknown) =>
      new Request(`https://shop.example/api/chat/one${path}`, {
        method,
        headers: { 'x-signed-in': person },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const said = { message: { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi.' }] } };
    const answered = await route.POST(ask('POST', '', 'ann', said));
    expect([answered.status, await answered.text()]).toEqual([200, expect.stringContaining('Hello.')]);
    await expect.poll(async () => (await route.GET(ask('GET', '/stream', 'ann'))).status).toBe(204);
    expect((await route.DELETE(ask('DELETE', '', 'ann'))).status).toBe(204);
    expect((await route.POST(ask('POST', '', '', said))).status).toBe(401);
    expect((await route.POST(ask('POST', '', 'ann', {}))).status).toBe(400);
  });
});
