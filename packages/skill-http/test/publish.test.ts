import { createSkillLock, lockedProvider } from '@repertoire/skill-trust/lock';
import { defineSkill, SkillError, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { sha256Hex, wrapProvider } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { httpSkillProvider } from '../src/index.ts';
import { createSkillsHandler, type SkillsHandler } from '../src/server.ts';
import { Clock } from './support/origin.ts';

const root = '/.well-known/agent-skills';
const haiku = defineSkill({
  name: 'haiku',
  description: 'Writes haiku. Use when a short poem is wanted.',
  body: 'Five, seven, five.',
  license: 'MIT',
});
const maps = defineSkill({
  name: 'maps',
  description: 'Draws maps. Use for places.',
  version: '1.2.0',
  body: 'North is up.',
  resources: { 'references/key.md': '# Key\n', 'assets/a b#ü.svg': '<svg onload="alert(1)"/>', 'scripts/draw.sh': 'echo map\n' },
});

interface Entry {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly url: string;
  readonly digest: string;
  readonly version: string;
  readonly files: readonly string[];
}

async function ask(handler: SkillsHandler, path: string, init: RequestInit = {}): Promise<Response> {
  return await handler(new Request(`https://skills.example${path}`, init));
}

async function entriesOf(handler: SkillsHandler, path = `${root}/index.json`): Promise<readonly Entry[]> {
  return ((await (await ask(handler, path)).json()) as { skills: Entry[] }).skills;
}

describe('what is published', () => {
  it('SRC-5: an index 0.2.0 whose entries have the digests of what they name', async () => {
    const handler = createSkillsHandler(new SkillRegistry({ skills: [maps, haiku] }));
    const response = await ask(handler, `${root}/index.json`);
    expect(response.headers.get('content-type')).toBe('application/json');
    const index = (await response.json()) as { $schema: string; skills: Entry[] };
    expect(index.$schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json');
    expect(index.skills.map(({ name, type, description }) => [name, type, description])).toEqual([
      ['haiku', 'skill-md', haiku.description],
      ['maps', 'archive', maps.description],
    ]);
    for (const { url, digest, type } of index.skills) {
      const artifact = await ask(handler, new URL(url, `https://skills.example${root}/index.json`).pathname);
      expect(`sha256:${await sha256Hex(new Uint8Array(await artifact.arrayBuffer()))}`).toBe(digest);
      expect(artifact.headers.get('content-type')).toBe(type === 'archive' ? 'application/gzip' : 'text/markdown; charset=utf-8');
      expect(artifact.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('SRC-5: an index 0.1.0, whose version changes with the files, and the files', async () => {
    const [before, after] = [
      createSkillsHandler(new SkillRegistry({ skills: [maps] })),
      createSkillsHandler(new SkillRegistry({ skills: [{ ...maps, body: 'South is up.' }] })),
    ];
    const [[old], [now]] = [
      await entriesOf(before, '/.well-known/skills/index.json'),
      await entriesOf(after, '/.well-known/skills/index.json'),
    ];
    expect(old).toMatchObject({ name: 'maps', files: ['SKILL.md', 'assets/a b#ü.svg', 'references/key.md', 'scripts/draw.sh'] });
    expect(old?.version).toMatch(/^1\.2\.0\+[0-9a-f]{16}$/);
    expect(now?.version).not.toBe(old?.version);
    expect(await (await ask(before, '/.well-known/skills/maps/references/key.md')).text()).toBe('# Key\n');
    expect(await (await ask(before, '/.well-known/skills/maps/assets/a%20b%23%C3%BC.svg')).text()).toContain('onload');
    expect(await entriesOf(before)).toHaveLength(1);
  });

  it('SRC-5: under names that people guess, too', async () => {
    const handler = createSkillsHandler(new SkillRegistry({ skills: [maps, haiku] }), { basePath: '/docs/' });
    expect(await (await ask(handler, `/docs${root}/haiku/SKILL.md`)).text()).toContain('Five, seven, five.');
    expect((await ask(handler, `/docs${root}/maps.tar.gz`)).headers.get('content-type')).toBe('application/gzip');
    expect((await ask(handler, `${root}/index.json`)).status).toBe(404);
  });

  it('SRC-5: with answers that a browser neither guesses about nor runs', async () => {
    const response = await ask(
      createSkillsHandler(new SkillRegistry({ skills: [maps] })),
      '/.well-known/skills/maps/assets/a%20b%23%C3%BC.svg',
    );
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
      'content-type': 'image/svg+xml',
    });
    expect((await ask(createSkillsHandler(new SkillRegistry()), '/', {})).headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('SRC-5: to GET and HEAD alone; with tags, and 304 for who has it', async () => {
    const handler = createSkillsHandler(new SkillRegistry({ skills: [haiku] }));
    const path = `${root}/index.json`;
    const response = await ask(handler, path);
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const head = await ask(handler, path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String((await response.arrayBuffer()).byteLength),
      '',
    ]);
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const unchanged = await ask(handler, path, { headers: { 'if-none-match': condition } });
      expect([unchanged.status, unchanged.headers.get('etag'), await unchanged.text()]).toEqual([304, etag, '']);
    }
    expect((await ask(handler, path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const refused = await ask(handler, path, { method });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
    const preflight = await ask(handler, path, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD']);
  });

  it('SRC-5: to the pages that the host names', async () => {
    const origins = async (cors: boolean | string) =>
      (await ask(createSkillsHandler(new SkillRegistry(), { cors }), `${root}/index.json`)).headers.get('access-control-allow-origin');
    expect([await origins(true), await origins(false), await origins('https://app.example')]).toEqual(['*', null, 'https://app.example']);
  });

  it.each([
    '/',
    '/index.json',
    root,
    `${root}/`,
    `${root}/../../etc/passwd`,
    `${root}/haiku/..%2f..%2fsecret`,
    `${root}/constructor`,
    '/.well-known/skills/haiku/__proto__',
    '/%',
    '/%ff',
    `${root}/HAIKU/SKILL.md`,
  ])('SRC-5: and nothing at %s', async (path) => {
    expect((await ask(createSkillsHandler(new SkillRegistry({ skills: [haiku] })), path)).status).toBe(404);
  });

  it('SRC-5: only what the host selects, by any path', async () => {
    const handler = createSkillsHandler(new SkillRegistry({ skills: [haiku, maps] }), { select: ({ name }) => name !== 'maps' });
    expect((await entriesOf(handler)).map(({ name }) => name)).toEqual(['haiku']);
    for (const path of [
      `${root}/maps.tar.gz`,
      `${root}/maps/SKILL.md`,
      '/.well-known/skills/maps/SKILL.md',
      '/.well-known/skills/maps/references/key.md',
    ])
      expect((await ask(handler, path)).status).toBe(404);
    expect(await handler.diagnostics()).toEqual([]);
  });

  it('SRC-5: without what cannot be, which is told', async () => {
    const handler = createSkillsHandler(
      new SkillRegistry({
        skills: [
          haiku,
          { name: 'Two Words', description: 'Has a name that is no path.', body: '' },
          {
            name: 'broken',
            description: 'Has a file that fails.',
            body: '',
            resources: { 'a.md': () => Promise.reject(new SkillError('unsupported', 'no such file')) },
          },
          { name: 'heavy', description: 'Has too many bytes.', body: '', resources: { 'a.bin': new Uint8Array(2_000) } },
          { name: 'many', description: 'Has too many files.', body: '', resources: { a: '', b: '', c: '' } },
          { name: 'über', description: 'Has letters that old clients refuse.', body: '' },
          { name: 'dots', description: 'Has a file that old clients refuse.', body: '', resources: { 'a..b.md': '' } },
        ],
      }),
      { limits: { skillBytes: 1_000, files: 3 } },
    );
    expect((await entriesOf(handler)).map(({ name }) => name)).toEqual(['dots', 'haiku', 'über']);
    expect((await entriesOf(handler, '/.well-known/skills/index.json')).map(({ name }) => name)).toEqual(['haiku']);
    expect((await handler.diagnostics()).map(({ code, skill }) => [code, skill]).sort()).toEqual([
      ['skill-not-legacy', 'dots'],
      ['skill-not-legacy', 'über'],
      ['skill-not-published', 'Two Words'],
      ['skill-not-published', 'broken'],
      ['skill-not-published', 'heavy'],
      ['skill-not-published', 'many'],
    ]);
  });

  it('SRC-5: without what is more than all may have together, in the order of the list', async () => {
    const of = (name: string) => ({ name, description: 'Has a file.', body: '', resources: { 'a.bin': new Uint8Array(600) } });
    const handler = createSkillsHandler(new SkillRegistry({ skills: [of('first'), of('second'), haiku] }), {
      limits: { totalBytes: 1_000 },
    });
    expect((await entriesOf(handler)).map(({ name }) => name)).toEqual(['first', 'haiku']);
    expect((await handler.diagnostics()).map(({ code, skill }) => [code, skill])).toEqual([['skill-not-published', 'second']]);
  });

  it('SRC-5: without a file that is larger than its source says', async () => {
    const source = new SkillRegistry({
      skills: [{ name: 'heavy', description: 'Has a file.', body: '', resources: { 'a.bin': new Uint8Array(2_000) } }],
    });
    const lying = wrapProvider(source, {
      listSkills: (options) => source.listSkills(options),
      getSkill: (name, options) => source.getSkill(name, options),
      async readResource(name, path) {
        const whole = await source.readResource(name, path);
        return whole && { ...whole, size: path === 'a.bin' ? 1 : whole.size };
      },
    });
    const handler = createSkillsHandler(lying, { limits: { skillBytes: 1_000 } });
    expect(await entriesOf(handler)).toEqual([]);
    expect((await handler.diagnostics()).map(({ code }) => code)).toEqual(['skill-not-published']);
  });

  it('SRC-5: with a description that fits the format, and whole in the skill', async () => {
    const long = `${'Long. '.repeat(300)}End.`;
    const handler = createSkillsHandler(new SkillRegistry({ skills: [{ name: 'long', description: long, body: '' }] }));
    expect((await entriesOf(handler))[0]?.description).toHaveLength(1024);
    const [listed] = (await httpSkillProvider({ url: 'https://skills.example', fetch: handler }).listSkills()).skills;
    expect(listed?.description).toBe(long);
  });

  it('SRC-5, GOV-9: so that a lock made of it holds', async () => {
    const source = new SkillRegistry({ skills: [haiku, maps] });
    const provider = httpSkillProvider({ url: 'https://skills.example', fetch: createSkillsHandler(source) });
    const locked = lockedProvider(provider, await createSkillLock(provider), { mode: 'frozen' });
    expect((await locked.listSkills()).skills).toHaveLength(2);
    expect((await locked.getSkill('maps'))?.body).toBe('North is up.');
  });
});

/** Changes a registry, and waits until who watches it was told. */
async function change(registry: SkillRegistry, how: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = registry.watch(resolve);
  how();
  await promise;
  stop();
}

describe('a change', () => {
  it('SRC-5: is seen as a whole, and who has the old index still gets what it names', async () => {
    const clock = new Clock();
    const registry = new SkillRegistry({ skills: [haiku, maps] });
    const handler = createSkillsHandler(registry, { now: clock.now, keepSupersededMs: 1_000 });
    const reader = httpSkillProvider({
      url: 'https://skills.example',
      fetch: handler,
      now: clock.now,
      minFreshMs: 3_600_000,
      maxFreshMs: 3_600_000,
    });
    await reader.listSkills();
    const [, old] = await entriesOf(handler);
    await change(registry, () => registry.replace({ ...maps, body: 'South is up.' }));
    expect((await entriesOf(handler))[1]?.digest).not.toBe(old?.digest);
    // The reader goes by the old index, and gets the old archive.
    expect((await reader.getSkill('maps'))?.body).toBe('North is up.');
    clock.advance(999);
    expect((await ask(handler, `${root}/${old?.url}`)).status).toBe(200);
    clock.advance(1);
    expect((await ask(handler, `${root}/${old?.url}`)).status).toBe(404);
  });

  it('SRC-5: that withdraws a skill withdraws all of it, at once', async () => {
    const registry = new SkillRegistry({ skills: [haiku, maps] });
    const handler = createSkillsHandler(registry);
    const [, old] = await entriesOf(handler);
    await change(registry, () => registry.replace({ ...maps, body: 'South is up.' }));
    await entriesOf(handler);
    await change(registry, () => registry.unregister('maps'));
    expect((await entriesOf(handler)).map(({ name }) => name)).toEqual(['haiku']);
    for (const path of [`${root}/${old?.url}`, `${root}/maps.tar.gz`, '/.well-known/skills/maps/references/key.md'])
      expect((await ask(handler, path)).status).toBe(404);
  });

  it('SRC-5: of a provider that tells nothing is seen after a time', async () => {
    const clock = new Clock();
    let body = 'One.';
    const provider: SkillProvider = {
      label: 'quiet',
      listSkills: async () => ({
        skills: [{ name: 'haiku', description: 'Writes haiku.', version: null }],
        diagnostics: [],
        complete: true,
      }),
      getSkill: async () => ({ name: 'haiku', description: 'Writes haiku.', version: null, body, resources: [], diagnostics: [] }),
      readResource: async () => null,
    };
    const handler = createSkillsHandler(provider, { now: clock.now, staleAfterMs: 1_000 });
    const text = async () => await (await ask(handler, `${root}/haiku/SKILL.md`)).text();
    expect(await text()).toContain('One.');
    body = 'Two.';
    clock.advance(999);
    expect(await text()).toContain('One.');
    clock.advance(1);
    expect(await text()).toContain('Two.');
  });

  it('SRC-5: that the provider fails to tell leaves what was there; one that never answered is 503', async () => {
    const clock = new Clock();
    const inner = fixedSkillProvider([haiku]);
    let isDown = true;
    const provider: SkillProvider = {
      ...inner,
      listSkills: async () => {
        if (isDown) throw new SkillError('source-unavailable', 'The disk of 10.0.0.7 is gone.');
        return await inner.listSkills();
      },
    };
    const handler = createSkillsHandler(provider, { now: clock.now, staleAfterMs: 1_000 });
    const down = await ask(handler, `${root}/index.json`);
    expect([down.status, down.headers.get('retry-after'), down.headers.get('cache-control')]).toEqual([503, '5', 'no-store']);
    expect(await down.text()).not.toContain('10.0.0.7');
    isDown = false;
    expect(await entriesOf(handler)).toHaveLength(1);
    isDown = true;
    clock.advance(1_000);
    expect(await entriesOf(handler)).toHaveLength(1);
    expect((await handler.diagnostics()).map(({ code }) => code)).toEqual(['stale-site']);
  });

  it('SRC-5: many requests at once read the provider once', async () => {
    let lists = 0;
    const inner = fixedSkillProvider([haiku]);
    const handler = createSkillsHandler({ ...inner, listSkills: async (options) => ((lists += 1), await inner.listSkills(options)) });
    await Promise.all(Array.from({ length: 20 }, () => entriesOf(handler)));
    expect(lists).toBe(1);
  });

  it('SRC-5: nothing is served after it was disposed', async () => {
    const handler = createSkillsHandler(new SkillRegistry({ skills: [haiku] }));
    await entriesOf(handler);
    await handler[Symbol.asyncDispose]();
    expect((await ask(handler, `${root}/index.json`)).status).toBe(503);
  });
});

it('SRC-5: options that cannot work are refused', () => {
  const provider = new SkillRegistry();
  for (const options of [{ basePath: 'docs' }, { basePath: '/a/../b' }, { basePath: '/a?b' }])
    expect(() => createSkillsHandler(provider, options as object)).toThrow(SkillError);
  expect(() => createSkillsHandler(provider, { limits: { files: 0 } })).toThrow(
    'Option "limits.files" of createSkillsHandler is 0. Give a number of at least 1.',
  );
});

it('SRC-5: a limit that is undefined is the default', async () => {
  // A host whose compiler does not tell it from one that is not there may give it.
  const resources = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`assets/${index}.txt`, '']));
  const many = defineSkill({ name: 'many', description: 'Has one file too many.', body: 'Many.', resources });
  const handler = createSkillsHandler(new SkillRegistry({ skills: [many] }), { limits: { files: undefined } as never });
  expect(await entriesOf(handler)).toEqual([]);
  expect(await handler.diagnostics()).toMatchObject([{ code: 'skill-not-published', skill: 'many' }]);
});
