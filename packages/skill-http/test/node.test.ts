import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SkillRegistry } from '@repertoire/skills-core';
import { everydayLibrary } from '../../skills-testkit/src/fixtures/everyday-library.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { httpSkillProvider, type HttpSkillProviderOptions } from '../src/index.ts';
import { diskCache, exportStatic, nodeListener } from '../src/node.ts';
import { createSkillsHandler } from '../src/server.ts';
import { providerOf } from './support/published-library.ts';
import { listen } from './support/serve.ts';

let directory: string;
beforeEach(async () => (directory = await mkdtemp(path.join(tmpdir(), 'skill-http-node-'))));
afterEach(() => rm(directory, { recursive: true, force: true }));

const { provider: source } = providerOf(everydayLibrary);

describe('the cache on disk', () => {
  const down = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));
  const open = (fetch: (request: Request) => Promise<Response>, options: Partial<HttpSkillProviderOptions> = {}) =>
    httpSkillProvider({
      url: 'https://skills.example',
      fetch,
      retries: 0,
      cache: diskCache({ directory: path.join(directory, 'cache') }),
      ...options,
    });

  async function fill(): Promise<void> {
    const provider = open(createSkillsHandler(source));
    for (const { name } of (await provider.listSkills()).skills) await provider.getSkill(name);
  }

  it('SRC-4: makes a process that starts offline serve what an earlier one had read', async () => {
    await fill();
    const provider = open(down);
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['invoice-check', 'release-notes', 'travel-plans']);
    expect((await provider.getSkill('invoice-check'))?.body).toContain('Compare each line');
    expect(new TextDecoder().decode((await provider.readResource('invoice-check', 'references/policy.md'))?.bytes)).toBe(
      everydayLibrary['invoice-check/references/policy.md'],
    );
    expect((await provider.listSkills()).diagnostics.map(({ code }) => code)).toEqual(['stale-index']);
  });

  it('SRC-4: asks a server that is there on condition, and reads no artifact twice', async () => {
    await fill();
    const handler = createSkillsHandler(source);
    const log: unknown[] = [];
    const provider = open(async (request) => {
      const response = await handler(request);
      log.push([new URL(request.url).pathname, response.status]);
      return response;
    });
    for (const { name } of (await provider.listSkills()).skills) expect(await provider.getSkill(name)).not.toBeNull();
    expect(log).toEqual([['/.well-known/agent-skills/index.json', 304]]);
  });

  it('SRC-4: is never believed: what was changed on disk counts as not there', async () => {
    await fill();
    const cache = path.join(directory, 'cache');
    for (const name of await readdir(cache)) {
      const file = path.join(cache, name);
      if (name.startsWith('blob-'))
        await writeFile(
          file,
          (await readFile(file)).map((byte, index) => (index === 40 ? byte ^ 1 : byte)),
        );
    }
    await expect(open(down).listSkills()).rejects.toThrow('cannot be reached');
    const provider = open(createSkillsHandler(source));
    expect((await provider.getSkill('invoice-check'))?.body).toContain('Compare each line');
    // And what was read anew mended it.
    expect(await open(down).getSkill('invoice-check')).not.toBeNull();
  });

  it.each(['', 'not json', '{}', '{"key":"other"}', '\0'])('SRC-4: is not stopped by records that say %j', async (record) => {
    await fill();
    const cache = path.join(directory, 'cache');
    for (const name of await readdir(cache)) if (name.startsWith('answer-')) await writeFile(path.join(cache, name), record);
    expect((await open(createSkillsHandler(source)).listSkills()).skills).toHaveLength(3);
    await rm(cache, { recursive: true });
  });

  it('SRC-4, GOV-10: keeps what different credentials were shown apart', async () => {
    const provider = open(createSkillsHandler(source), { headers: { authorization: 'one' } });
    await provider.listSkills();
    expect((await open(down, { headers: { authorization: 'one' } }).listSkills()).skills).toHaveLength(3);
    await expect(open(down, { headers: { authorization: 'two' } }).listSkills()).rejects.toThrow('cannot be reached');
  });

  it('SRC-4: keeps nothing that must not be stored', async () => {
    await open(createSkillsHandler(source, { cacheControl: 'no-store' })).listSkills();
    await expect(open(down).listSkills()).rejects.toThrow('cannot be reached');
  });

  it('SRC-4: is done without where it fails, which is told', async () => {
    await writeFile(path.join(directory, 'cache'), 'a file where a folder must be');
    const provider = open(createSkillsHandler(source));
    expect((await provider.listSkills()).skills).toHaveLength(3);
    expect((await provider.listSkills()).diagnostics.map(({ code }) => code)).toEqual(['cache-failed']);
  });

  it('SRC-4: is only of this user, whole at every time, and no larger than the host allows', async () => {
    const cache = diskCache({ directory: path.join(directory, 'small'), maxBytes: 3_000 });
    const key = (digit: string) => `blob-${digit.repeat(64)}`;
    const old = new Date(1_000);
    await cache.set(key('a'), new Uint8Array(1_200));
    await utimes(path.join(directory, 'small', key('a')), old, old);
    await cache.set(key('b'), new Uint8Array(1_200));
    await cache.set(key('c'), new Uint8Array(1_200));
    expect([await cache.get(key('a')), (await cache.get(key('b')))?.length, (await cache.get(key('c')))?.length]).toEqual([
      null,
      1_200,
      1_200,
    ]);
    expect((await stat(path.join(directory, 'small'))).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(directory, 'small', key('b')))).mode & 0o777).toBe(0o600);
    await Promise.all(Array.from({ length: 20 }, (_, index) => cache.set(key('d'), new Uint8Array(100).fill(index))));
    expect(new Set((await cache.get(key('d'))) ?? []).size).toBe(1);
    expect((await readdir(path.join(directory, 'small'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    await expect(cache.get('../secret')).rejects.toThrow('is no key');
  });
});

describe('static files', () => {
  it('SRC-5: are what the handler serves, byte by byte, and are read as such', async () => {
    const { files, written, diagnostics } = await exportStatic(source, directory);
    expect([written, diagnostics]).toEqual([files, []]);
    expect(files.slice(-2)).toEqual(['.well-known/agent-skills/index.json', '.well-known/skills/index.json']);
    const handler = createSkillsHandler(source, { compress: true });
    for (const file of files) {
      const response = await handler(new Request(`https://skills.example/${file.split('/').map(encodeURIComponent).join('/')}`));
      expect(Buffer.from(await response.arrayBuffer()).equals(await readFile(path.join(directory, file)))).toBe(true);
    }
    const provider = httpSkillProvider({
      url: 'https://cdn.example',
      fetch: async ({ url }) => new Response(await readFile(path.join(directory, decodeURIComponent(new URL(url).pathname)))),
    });
    for (const { name } of (await source.listSkills()).skills) {
      const [mine, theirs] = [await source.getSkill(name), await provider.getSkill(name)];
      expect({ ...theirs, origin: undefined }).toEqual({ ...mine, origin: undefined });
    }
  });

  it('SRC-5: are written once, and those of the index before stay', async () => {
    const first = await exportStatic(source, directory);
    expect((await exportStatic(source, directory)).written).toEqual([]);
    const second = await exportStatic(
      new SkillRegistry({ skills: [{ name: 'release-notes', description: 'Another one.', body: 'New.' }] }),
      directory,
      { legacy: false },
    );
    expect(second.written.at(-1)).toBe('.well-known/agent-skills/index.json');
    for (const file of first.files) expect((await stat(path.join(directory, file))).isFile()).toBe(true);
  });

  it('SRC-5: can be read by everyone who serves them', async () => {
    const { files } = await exportStatic(source, directory, { basePath: '/docs' });
    const modes = await Promise.all(files.map(async (file) => (await stat(path.join(directory, file))).mode & 0o444));
    expect(new Set(modes)).toEqual(new Set([0o444]));
    expect(files.every((file) => file.startsWith('docs/.well-known/'))).toBe(true);
  });
});

it('SRC-5: archives are the same bytes in every time zone', async () => {
  const script = `
    import { packSkill } from ${JSON.stringify(new URL('../src/server/pack-skill.ts', import.meta.url).href)};
    import { packingPace } from ${JSON.stringify(new URL('../src/server/packing-pace.ts', import.meta.url).href)};
    const pack = async (path, compress) => (await packSkill(new Map([[path, new Uint8Array(9)]]), compress, packingPace())).digest;
    for (const compress of [true, false]) console.log(await pack('SKILL.md', compress), await pack('n'.repeat(120), compress));`;
  const digestsIn = (zone: string) =>
    execFileSync(process.execPath, ['--conditions=@repertoire/source', '--input-type=module', '--eval', script], {
      cwd: path.join(import.meta.dirname, '..'),
      env: { ...process.env, TZ: zone, NODE_NO_WARNINGS: '1' },
      encoding: 'utf8',
    });
  expect(digestsIn('Pacific/Kiritimati')).toBe(digestsIn('America/Los_Angeles'));
});

describe('the bridge to node:http', () => {
  it('SRC-5: answers what is no request with 400, what fails with 500, and tells when a client has gone (ATK-52)', async () => {
    const [arrived, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
    const server = await listen(
      createServer(
        nodeListener(async (request) => {
          if (request.url.endsWith('/fail')) throw new Error('oops');
          if (!request.url.endsWith('/wait')) return new Response(`${request.method} ${new URL(request.url).pathname}`);
          request.signal.addEventListener('abort', () => gone.resolve(true));
          arrived.resolve();
          return await new Promise<Response>(() => {});
        }),
      ),
    );
    try {
      expect(await (await fetch(`${server.url}/a%20b`)).text()).toBe('GET /a%20b');
      expect((await fetch(`${server.url}/fail`)).status).toBe(500);
      const asked = async (host: string): Promise<string> =>
        await new Promise<string>((resolve) => {
          const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () =>
            socket.write(`GET /x HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`),
          );
          let text = '';
          socket.on('data', (data) => (text += String(data))).on('close', () => resolve(text));
        });
      for (const host of ['a b', 'a/secret?', 'a/secret#', 'u:p@a', 'a\\b', 'a?', '[::1', 'a:b', 'a:999999', ''])
        expect(await asked(host), host).toMatch(/^HTTP\/1\.1 400 /);
      for (const host of ['a', 'a.example:80', '127.0.0.1', '[::1]:8080', 'my_service']) expect(await asked(host), host).toMatch(/GET \/x/);
      const controller = new AbortController();
      const waiting = fetch(`${server.url}/wait`, { signal: controller.signal });
      waiting.catch(() => {});
      await arrived.promise;
      controller.abort();
      await expect(waiting).rejects.toThrow();
      expect(await gone.promise).toBe(true);
    } finally {
      await server.close();
    }
  });
});
