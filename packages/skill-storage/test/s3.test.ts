import { createHash } from 'node:crypto';
import { testSkillProvider } from '@repertoire/skills-testkit/vitest';
import { describe, expect, it } from 'vitest';
import { publishSkillsToStorage, s3SkillStore, storageSkillProvider, type SkillStore } from '../src/index.ts';
import { generation, generationsSeen } from './support/libraries.ts';
import { publishLibrary } from './support/publish-library.ts';

/** Answers as the API reference of S3 says, with three keys to a page; the server of the CLI's tests can neither compare nor continue a page. */
function s3InMemory(bucket: string) {
  const objects = new Map<string, Uint8Array>();
  const etagOf = (bytes: Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`;
  const error = (status: number, code: string) =>
    new Response(`<Error><Code>${code}</Code><Message>Told &amp; done</Message></Error>`, { status });
  const list = (query: URLSearchParams) => {
    const from = query.get('continuation-token');
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && (from === null || `<${key}>` > from))
      .sort();
    const page = keys
      .slice(0, 3)
      .map(
        (key) =>
          `<Contents><Key>${key}</Key><LastModified>2026-11-21T12:00:00.000Z</LastModified><Size>${objects.get(key)?.length}</Size></Contents>`,
      );
    const more =
      keys.length > 3
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>&lt;${keys[2]}&gt;</NextContinuationToken>`
        : '<IsTruncated>false</IsTruncated>';
    return new Response(`<?xml version="1.0"?><ListBucketResult>${more}${page.join('')}</ListBucketResult>`);
  };
  const answer = async (url: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    const sent = new Headers(headers);
    const [, name, ...rest] = pathname.split('/');
    if (name !== bucket) return error(404, 'NoSuchBucket');
    const key = rest.join('/');
    const written = new Uint8Array(await new Response(body).arrayBuffer());
    // Nothing waits from here on: the comparison and the write are one step.
    const found = objects.get(key);
    if (key === '') return list(searchParams);
    switch (method) {
      case 'PUT':
        if (sent.get('if-none-match') === '*' && found !== undefined) return error(412, 'PreconditionFailed');
        if (sent.has('if-match') && found === undefined) return error(404, 'NoSuchKey');
        if (sent.has('if-match') && sent.get('if-match') !== etagOf(found ?? new Uint8Array())) return error(412, 'PreconditionFailed');
        objects.set(key, written);
        return new Response(null);
      case 'DELETE':
        objects.delete(key);
        return new Response(null, { status: 204 });
      default: {
        if (found === undefined) return error(404, 'NoSuchKey');
        const end = /^bytes=0-(\d+)$/.exec(sent.get('range') ?? '')?.[1];
        if (end === undefined) return new Response(found as Uint8Array<ArrayBuffer>, { headers: { etag: etagOf(found) } });
        if (found.length === 0) return error(416, 'InvalidRange');
        const part = found.slice(0, Number(end) + 1);
        return new Response(part, {
          status: 206,
          headers: { etag: etagOf(found), 'content-range': `bytes 0-${part.length - 1}/${found.length}` },
        });
      }
    }
  };
  return { objects, answer };
}

const storeOf = (): SkillStore => s3SkillStore({ url: 'https://s3.example/skills/', fetch: s3InMemory('skills').answer });

testSkillProvider({
  name: 'skill-storage over the S3 API',
  abilities: ['dispose', 'versions', 'raw'],
  trusted: false,
  create: async (files) => {
    const store = storeOf();
    await publishLibrary(store, files);
    return { provider: storageSkillProvider({ store }) };
  },
  failing: async () => ({
    provider: storageSkillProvider({ store: s3SkillStore({ url: 'https://s3.example/other', fetch: s3InMemory('skills').answer }) }),
  }),
});

describe('SRC-9: the S3 API', () => {
  it('lists page after page, with sizes and times', async () => {
    const store = storeOf();
    for (let index = 0; index < 8; index += 1) await store.put(`many/${index}`, new Uint8Array(index));
    await store.put('other', new Uint8Array());
    expect(await store.list('many/')).toEqual(
      Array.from({ length: 8 }, (_, index) => ({ key: `many/${index}`, size: index, uploadedAt: Date.UTC(2026, 10, 21, 12) })),
    );
  });

  it('reads ranges, also of what is empty', async () => {
    const store = storeOf();
    await store.put('bytes', new Uint8Array([1, 2, 3]));
    await store.put('empty', new Uint8Array());
    expect(await store.get('bytes', { maxBytes: 2 })).toMatchObject({ bytes: new Uint8Array([1, 2]), size: 3 });
    expect(await store.get('bytes', { maxBytes: 9 })).toMatchObject({ bytes: new Uint8Array([1, 2, 3]), size: 3 });
    expect(await store.get('empty', { maxBytes: 9 })).toMatchObject({ bytes: new Uint8Array(), size: 0 });
    expect(await store.get('none', { maxBytes: 9 })).toBeNull();
  });

  it('lets two publishers take turns', async () => {
    const store = storeOf();
    expect(await store.put('gone', new Uint8Array(), { ifMatch: '"etag"' })).toBe(false);
    const [first, second] = await Promise.all([publishSkillsToStorage(store, generation(1)), publishSkillsToStorage(store, generation(2))]);
    const seen = await generationsSeen(storageSkillProvider({ store }));
    const pointer = JSON.parse(new TextDecoder().decode((await store.get('current.json'))?.bytes)) as { previous: string[] };
    expect(pointer.previous).toEqual([seen[0] === 1 ? second.release : first.release]);
  });

  it('tells what the server said', async () => {
    const store = s3SkillStore({ url: 'https://s3.example/other', fetch: s3InMemory('skills').answer });
    for (const call of [
      store.get('a'),
      store.put('a', new Uint8Array()),
      store.put('a', new Uint8Array(), { ifMatch: '"x"' }),
      store.list('a/'),
    ]) {
      await expect(call).rejects.toThrow('404 NoSuchBucket: Told & done');
    }
    const page = s3SkillStore({ url: 'https://s3.example/skills', fetch: async () => new Response('<html>Sign in</html>') });
    await expect(page.list('a/')).rejects.toThrow('no listing of S3');
  });
});
