import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { kvRestSkillStore } from '../src/publish/kv-rest-skill-store.ts';

type Answer = (request: IncomingMessage, body: string) => { status?: number; headers?: Record<string, string>; body?: unknown };

/** A server that answers as the test says, and writes down what it was asked. */
async function kvServer(answer: Answer) {
  const asked: string[] = [];
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await text(request);
    asked.push(`${request.method} ${request.url}`);
    const { status = 200, headers = {}, body = { success: true, result: {} } } = answer(request, received);
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/namespace`;
  return { store: kvRestSkillStore({ url, token: 'secret' }), asked };
}

const bytes = new Uint8Array([0xff, 0, 1]);

describe('SRC-9: the API of KV', () => {
  it('takes many files in one request, with their sizes', async () => {
    const bodies: string[] = [];
    const { store, asked } = await kvServer((request, body) => {
      bodies.push(body);
      expect(request.headers.authorization).toBe('Bearer secret');
      return {};
    });
    await Promise.all(Array.from({ length: 100 }, (_, index) => store.put(`files/${index}`, bytes)));
    expect(asked).toEqual(['PUT /namespace/bulk']);
    const pairs = JSON.parse(bodies[0] ?? '') as unknown[];
    expect(pairs).toHaveLength(100);
    expect(pairs[7]).toEqual({ key: 'files/7', value: '/wAB', base64: true, metadata: { size: 3, uploadedAt: expect.any(Number) } });
  });

  it('tells of each file that was not taken', async () => {
    const { store } = await kvServer(() => ({ body: { success: true, result: { unsuccessful_keys: ['b'] } } }));
    const ends = await Promise.allSettled(['a', 'b', 'c'].map((key) => store.put(key, bytes)));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('waits as long as it is told where there were too many requests, and tries again', async () => {
    let left = 2;
    const { store, asked } = await kvServer(() => ((left -= 1) >= 0 ? { status: 429, headers: { 'retry-after': '0' } } : {}));
    expect(await store.put('a', bytes)).toBe(true);
    expect(asked).toHaveLength(3);
  });

  it('lists page after page', async () => {
    const { store, asked } = await kvServer(({ url }) => {
      const isFirst = !url?.includes('cursor');
      const result = isFirst ? [{ name: 'p/a', metadata: { size: 3, uploadedAt: 7 } }] : [{ name: 'p/b' }];
      return { body: { result, result_info: { cursor: isFirst ? 'next' : '' } } };
    });
    expect(await store.list('p/')).toEqual([{ key: 'p/a', size: 3, uploadedAt: 7 }, { key: 'p/b' }]);
    expect(asked).toEqual(['GET /namespace/keys?prefix=p%2F&limit=1000', 'GET /namespace/keys?prefix=p%2F&limit=1000&cursor=next']);
  });

  it.each([
    [404, { errors: [{ code: 10009, message: 'key not found' }] }, null],
    [404, { errors: [{ code: 10013, message: 'namespace not found' }] }, /namespace not found/],
    [403, { errors: [{ code: 10000, message: 'Authentication error' }] }, /Authentication error.*CLOUDFLARE_API_TOKEN/],
    [400, 'no JSON', /^GET p\/a: 400$/],
  ])('reads %s with %o as what it is', async (status, body, message) => {
    const { store } = await kvServer(() => ({ status, body }));
    if (message === null) expect(await store.get('p/a')).toBeNull();
    else await expect(store.get('p/a')).rejects.toThrow(message);
  });

  it('gives up a wait that is aborted', async () => {
    const controller = new AbortController();
    const { store } = await kvServer(() => {
      setImmediate(() => controller.abort('enough'));
      return { status: 429, headers: { 'retry-after': '300' } };
    });
    await expect(store.get('a', { signal: controller.signal })).rejects.toBe('enough');
  });

  it('gives up a write that is aborted, and sends nothing more', async () => {
    const controller = new AbortController();
    const { store, asked } = await kvServer(() => {
      setImmediate(() => controller.abort('enough'));
      return { status: 429, headers: { 'retry-after': '300' } };
    });
    const { signal } = controller;
    await expect(store.put('a', bytes, { signal })).rejects.toBe('enough');
    await expect(store.put('b', bytes, { signal })).rejects.toBe('enough');
    expect(asked).toEqual(['PUT /namespace/bulk']);
  });

  it('goes on with what others write in the same request where one of them gives up', async () => {
    const controller = new AbortController();
    const { store, asked } = await kvServer(() => {
      controller.abort('enough');
      return {};
    });
    const ends = await Promise.allSettled([store.put('a', bytes, { signal: controller.signal }), store.put('b', bytes)]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(asked).toEqual(['PUT /namespace/bulk']);
  });

  it('does not follow pages that go in circles', async () => {
    const { store, asked } = await kvServer(() =>
      asked.length > 10 ? { status: 400, body: 'asked without end' } : { body: { result: [], result_info: { cursor: 'again' } } },
    );
    await expect(store.list('p/')).rejects.toThrow(/goes in circles/);
  });

  it('takes an answer that tells of no success for none, whatever its status', async () => {
    const { store } = await kvServer(() => ({ body: { success: false, result: null, errors: [{ code: 10000, message: 'not now' }] } }));
    await expect(store.put('a', bytes)).rejects.toThrow('PUT /bulk: 200 not now');
    await expect(store.list('p/')).rejects.toThrow('not now');
    await expect(store.delete(['a'])).rejects.toThrow('not now');
  });
});
