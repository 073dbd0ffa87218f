import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStorage, type Driver } from 'unstorage';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  pruneSkills,
  publishSkillsToStorage,
  s3SkillStore,
  storageSkillProvider,
  unstorageSkillStore,
  type SkillStore,
} from '../src/index.ts';
import { generation, generationsSeen } from './support/libraries.ts';

const url = 'https://s3.example/skills';

/** Answers a `GET` with chunks of a mebibyte, made when they are read. */
function chunks(count: number, headers: Record<string, string>) {
  const made = { chunks: 0 };
  const body = () =>
    new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          made.chunks += 1;
          controller.enqueue(new Uint8Array(2 ** 20).fill(made.chunks));
          if (made.chunks === count) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  return { made, store: s3SkillStore({ url, fetch: async () => new Response(body(), { headers }) }) };
}

describe('SRC-9: a server of the S3 API that', () => {
  it('knows no ranges sends no more than is wanted', async () => {
    const { made, store } = chunks(1_000, { 'content-length': String(1_000 * 2 ** 20) });
    const object = await store.get('large', { maxBytes: 10 });
    expect(object).toMatchObject({ bytes: new Uint8Array(10).fill(1), size: 1_000 * 2 ** 20 });
    expect(made.chunks).toBeLessThan(4);
  });

  it('tells no length is counted, and no more of it is kept than is wanted', async () => {
    const { store } = chunks(8, {});
    const object = await store.get('large', { maxBytes: 2 ** 20 + 1 });
    expect(object?.size).toBe(8 * 2 ** 20);
    expect(object?.bytes).toHaveLength(2 ** 20 + 1);
    expect(object?.bytes.at(-1)).toBe(2);
    expect((await chunks(3, {}).store.get('large'))?.bytes).toHaveLength(3 * 2 ** 20);
  });

  it.each([301, 302, 303, 307, 308])('redirects with %i is told of, and not followed with what was signed', async (status) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      if (request.url === '/login') response.end('<html>Sign in</html>');
      else
        response.writeHead(status, { location: '/login' }).end('<Error><Code>TemporaryRedirect</Code><Message>Ask there</Message></Error>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = s3SkillStore({ url: base, fetch: (address, init) => fetch(address, init) });
    await expect(store.put('a', new Uint8Array([1]))).rejects.toThrow(`${status} TemporaryRedirect: Ask there`);
    await expect(store.get('a')).rejects.toThrow(String(status));
    await expect(store.delete(['a'])).rejects.toThrow(String(status));
    expect(asked).toEqual(['PUT /a', 'GET /a', 'DELETE /a']);
  });

  it('does not know conditions lets the last to end win, as one that ignores them', async () => {
    const objects = new Map<string, Uint8Array>();
    const store = s3SkillStore({
      url,
      fetch: async (address, { method = 'GET', headers, body }) => {
        const { pathname, searchParams } = new URL(address);
        if (searchParams.has('list-type')) return new Response('<ListBucketResult></ListBucketResult>');
        const sent = new Headers(headers);
        if (sent.has('if-match') || sent.has('if-none-match')) {
          return new Response('<Error><Code>NotImplemented</Code></Error>', { status: 501 });
        }
        if (method === 'PUT') objects.set(pathname, new Uint8Array(await new Response(body).arrayBuffer()));
        const found = objects.get(pathname);
        return found === undefined
          ? new Response('<Error><Code>NoSuchKey</Code></Error>', { status: 404 })
          : new Response(method === 'PUT' ? null : (found as Uint8Array<ArrayBuffer>), { headers: { etag: '"e"' } });
      },
    });
    await publishSkillsToStorage(store, generation(1));
    await publishSkillsToStorage(store, generation(2));
    expect(await generationsSeen(storageSkillProvider({ store }))).toEqual([2]);
  });

  it('gives the same page over and over is told of', async () => {
    const page = '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken></ListBucketResult>';
    let pages = 0;
    const store = s3SkillStore({
      url,
      fetch: async () => {
        if ((pages += 1) > 10) throw new Error('asked without end');
        return new Response(page);
      },
    });
    await expect(store.list('files/')).rejects.toThrow(/goes in circles/);
  });

  it('talks without end is quoted with its first words', async () => {
    const message = 'x'.repeat(3 * 2 ** 20);
    const store = s3SkillStore({
      url,
      fetch: async () => new Response(`<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`, { status: 403 }),
    });
    const error: unknown = await store.get('a').catch((reason: unknown) => reason);
    expect((error as Error).message).toMatch(/^GET https:\/\/s3\.example\/skills\/a: 403 AccessDenied/);
    expect((error as Error).message.length).toBeLessThan(1_000);
  });
});

describe('SRC-9: no error tells a secret', () => {
  it.each([
    'https://me:hunter2@s3.example/skills',
    'https://s3.example/skills?X-Amz-Signature=hunter2',
    'https://s3.example/skills#hunter2',
    's3.example/skills?key=hunter2',
  ])('of the URL of a bucket: %s is refused at once', (address) => {
    const make = (): SkillStore => s3SkillStore({ url: address, fetch: (to, init) => fetch(to, init) });
    expect(make).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    expect(make).not.toThrow(/hunter2/);
  });
});

describe('SRC-9: a driver of unstorage that tells times and no sizes, as those of databases do', () => {
  it('keeps what is young from being pruned', async () => {
    const items = new Map<string, { value: Uint8Array; mtime: Date }>();
    let time = 0;
    const driver: Driver = {
      name: 'rows',
      hasItem: (key) => items.has(key),
      getItem: (key) => (items.get(key)?.value as never) ?? null,
      getItemRaw: (key) => items.get(key)?.value ?? null,
      setItemRaw: (key, value: Uint8Array) => void items.set(key, { value, mtime: new Date(time) }),
      getMeta: (key) => ({ mtime: items.get(key)?.mtime ?? new Date(0) }),
      removeItem: (key) => void items.delete(key),
      getKeys: () => [...items.keys()],
    };
    const store = unstorageSkillStore(createStorage({ driver }));
    for (const number of [1, 2, 3]) {
      time += 10_000_000;
      await publishSkillsToStorage(store, generation(number), { keep: 2 });
    }
    expect((await pruneSkills(store, { now: () => 10_000_000 + 3_599_999 })).removed).toEqual([]);
    expect((await pruneSkills(store, { now: () => 10_000_000 + 3_600_000 })).removed).toHaveLength(7);
  });
});
