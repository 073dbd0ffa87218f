import { SkillError } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { httpSkillProvider } from '../src/index.ts';
import { skillMdOf } from './support/archives.ts';
import { indexOf, skillMdEntry } from './support/origin.ts';
import { hurried, libraryOf, setUp } from './support/set-up.ts';

const index = '/.well-known/agent-skills/index.json';
const legacy = '/.well-known/skills/index.json';
const get = `GET ${index}`;

describe('where requests go', () => {
  const redirect = (location: string, status = 302) => new Response(null, { status, headers: { location } });

  it.each([301, 302, 303, 307, 308])(
    'SRC-4: follows a redirect %d within its origin, and resolves against where it led',
    async (status) => {
      const { origin, provider } = setUp();
      origin.put('/v2/index.json', await libraryOf('haiku')).put('/v2/haiku/SKILL.md', skillMdOf('haiku'));
      origin.intercept = (request) => (request.url.endsWith(index) ? redirect('/v2/index.json', status) : undefined);
      expect((await provider.getSkill('haiku'))?.body).toBe('Do it well.');
      expect(origin.asked()).toEqual([get, 'GET /v2/index.json', 'GET /v2/haiku/SKILL.md']);
      expect(origin.requests.every((request) => request.redirect === 'manual')).toBe(true);
    },
  );

  it.each([
    'https://evil.example/index.json',
    'http://skills.example/index.json',
    'https://127.0.0.1/index.json',
    'https://[::ffff:10.0.0.1]/index.json',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[64:ff9b::7f00:1]/',
    'https://100.64.0.1/',
    'https://localhost/',
    'https://metadata.google.internal/',
    'https://redis/',
    'https://me:secret@skills.example/index.json',
    'file:///etc/passwd',
    'data:application/json,{}',
  ])('SRC-4: follows none to %s', async (location) => {
    const { origin, provider } = setUp({
      allowedOrigins: ['https://127.0.0.1', 'https://169.254.169.254', 'https://redis', 'https://localhost'],
    });
    origin.intercept = () => redirect(location);
    await expect(provider.listSkills()).rejects.toThrow('is not asked');
    expect(origin.asked()).toEqual([get]);
  });

  it('SRC-4: follows no more redirects than the host allows', async () => {
    const { origin, provider } = setUp({ maxRedirects: 2 });
    origin.intercept = () => redirect(index);
    await expect(provider.listSkills()).rejects.toThrow('redirects more than 2 times');
    expect(origin.asked()).toHaveLength(3);
  });

  it('SRC-4: trusts no fetch that follows redirects by itself', async () => {
    const { origin, provider } = setUp();
    const library = await libraryOf('haiku');
    origin.intercept = () => Object.defineProperty(new Response(library), 'redirected', { value: true });
    await expect(provider.listSkills()).rejects.toThrow('must leave redirects alone');
    const later = setUp();
    later.origin.put(index, library);
    later.origin.intercept = (request) => (request.url.endsWith(index) ? undefined : origin.intercept?.(request));
    await expect(later.provider.getSkill('haiku')).rejects.toMatchObject({
      code: 'permission-denied',
      message: expect.stringContaining('must leave redirects alone'),
      source: later.provider.label,
    });
  });

  it('SRC-4: says of a redirect that the runtime hides that it is one, and of any other answer its status', async () => {
    const { origin, provider } = setUp();
    const hidden = { type: { value: 'opaqueredirect' }, status: { value: 0 } };
    origin.intercept = () => Object.defineProperties(new Response(null), hidden);
    await expect(provider.listSkills()).rejects.toThrow('redirects, which cannot be checked');
    const other = setUp();
    other.origin.intercept = () => new Response('no', { status: 403 });
    await expect(other.provider.listSkills()).rejects.toThrow('answered 403');
  });

  it('SRC-4: sends credentials to the origin that they are for, and to no other, also behind a redirect', async () => {
    const text = skillMdOf('haiku');
    const { origin, provider } = setUp({
      headers: () => ({ authorization: 'Bearer secret', 'x-tenant': 'a' }),
      allowedOrigins: ['https://cdn.example'],
    });
    origin.put(index, indexOf([await skillMdEntry('haiku', text, 'https://cdn.example/haiku.md')]));
    origin.intercept = (request) => {
      if (request.url === 'https://cdn.example/haiku.md') return redirect('https://skills.example/back.md');
      return request.url.endsWith('/back.md') ? new Response(text) : undefined;
    };
    await provider.getSkill('haiku');
    expect(origin.requests.map(({ url, headers }) => [new URL(url).host, headers.get('authorization'), headers.get('x-tenant')])).toEqual([
      ['skills.example', 'Bearer secret', 'a'],
      ['cdn.example', null, null],
      ['skills.example', 'Bearer secret', 'a'],
    ]);
  });

  it.each([
    ['http://skills.example', 'allowHttp'],
    ['https://localhost:8080', 'allowPrivateAddresses'],
    ['https://10.0.0.1', 'allowPrivateAddresses'],
    ['https://me:secret@skills.example', 'credentials'],
    ['ftp://skills.example', 'https:'],
    ['skills.example', 'absolute'],
  ])('SRC-4: refuses to be made for %s, and says which option matters', (url, word) => {
    expect(() => httpSkillProvider({ url })).toThrow(word);
  });

  it('SRC-4: refuses options that cannot work', () => {
    for (const options of [{ timeoutMs: 0 }, { allowedOrigins: ['cdn'] }]) {
      expect(() => httpSkillProvider({ url: 'https://skills.example', ...options })).toThrow(SkillError);
    }
  });
});

describe('how much is read', () => {
  it('SRC-4: refuses what declares to be too large before it reads, and cuts what is', async () => {
    const { origin, provider } = setUp({ limits: { indexBytes: 100 } });
    let pulled = 0;
    const endless = () =>
      new ReadableStream<Uint8Array>(
        { pull: (controller) => controller.enqueue(new Uint8Array((pulled += 1) > 0 ? 60 : 0)) },
        { highWaterMark: 0 },
      );
    origin.intercept = () => new Response(endless(), { headers: { 'content-length': '101' } });
    await expect(provider.listSkills()).rejects.toThrow('declares 101 bytes, and at most 100 are read');
    expect(pulled).toBe(0);
    origin.intercept = () => new Response(endless());
    await expect(provider.listSkills()).rejects.toThrow('sends more than 100 bytes');
    expect(pulled).toBe(2);
    expect(origin.asked()).toHaveLength(2);
  });

  it('SRC-4: tries again where a body is shorter than was declared', async () => {
    const { origin, clock, names } = setUp();
    const library = await libraryOf('haiku');
    let left = 1;
    origin.intercept = () =>
      left-- > 0 ? new Response(library.slice(0, 50), { headers: { 'content-length': String(library.length) } }) : new Response(library);
    expect(await hurried(clock, names())).toEqual(['haiku']);
    expect(origin.asked()).toEqual([get, get]);
  });

  it('SRC-4: gives the first bytes of a file and the size of the whole', async () => {
    const { origin, provider } = setUp();
    origin
      .put(legacy, JSON.stringify({ skills: [{ name: 'maps', description: 'Draws maps.', files: ['SKILL.md', 'a.bin'] }] }))
      .put('/.well-known/skills/maps/a.bin', new Uint8Array([1, 2, 3, 4]));
    expect(await provider.readResource('maps', 'a.bin', { maxBytes: 2 })).toMatchObject({ bytes: new Uint8Array([1, 2]), size: 4 });
  });
});

it('SRC-4: keeps no more of what was read than the host allows, and reads again what it let go', async () => {
  const { origin, provider } = setUp({ limits: { memoryBytes: 3_000 } });
  const texts = ['haiku', 'maps', 'trains'].map((name) => [name, skillMdOf(name, 'x'.repeat(1_200))] as const);
  origin.put(index, indexOf(await Promise.all(texts.map(([name, text]) => skillMdEntry(name, text)))), { 'cache-control': 'max-age=1000' });
  for (const [name, text] of texts) origin.put(`/.well-known/agent-skills/${name}/SKILL.md`, text);
  for (const name of ['haiku', 'maps', 'haiku', 'trains', 'haiku', 'maps']) await provider.getSkill(name);
  expect(
    origin
      .asked()
      .slice(1)
      .map((line) => line.split('/').at(-2)),
  ).toEqual(['haiku', 'maps', 'trains', 'maps']);
});
