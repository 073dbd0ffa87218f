import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Miniflare } from 'miniflare';
import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { httpSkillProvider } from '@repertoire/skill-http';
import { nodeListener } from '@repertoire/skill-http/node';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { groupBySkillDirectory } from '@repertoire/skills-testkit';
import { everydayLibrary } from '../packages/skills-testkit/src/fixtures/everyday-library.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { openWorkerd } from './open-workerd.ts';

const run = promisify(execFile);
const large = new Uint8Array(200_000).map((_, index) => (index * 7919) % 256);
const library = {
  ...everydayLibrary,
  'invoice-check/assets/picture.bin': large,
  'invoice-check/references/Übersicht mit Leerzeichen.md': '# Übersicht\n',
  [`travel-plans/references/${'long-'.repeat(24)}name.md`]: 'A name of more than a hundred bytes.\n',
};

function libraryProvider(): SkillProvider {
  const skills = [...groupBySkillDirectory(library)].map(([directoryName, files]) => skillFromFiles(files, { directoryName }).definition);
  return new SkillRegistry({ skills: skills.filter((skill) => skill !== null) });
}

/** Serves a handler on a socket until the test ends. */
async function serve(handler: (request: Request) => Promise<Response>): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const server = createServer(nodeListener(handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe('skill-http in workerd without nodejs_compat', () => {
  let runtime: Miniflare;
  beforeAll(async () => {
    const code = await bundleTestWorker(`export { default } from './workers/skill-http-worker.ts';`);
    runtime = openWorkerd(code);
  });
  afterAll(() => runtime.dispose());

  it('CON-4, SRC-4, SRC-5: holds the contract over its own handler', async () => {
    const { passed, failed } = (await (await runtime.dispatchFetch('http://localhost/')).json()) as { passed: number; failed: string[] };
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(55);
  });

  it('SRC-5: publishes the very bytes that Node.js publishes', async () => {
    const skills = [...groupBySkillDirectory(everydayLibrary)].map(
      ([directoryName, files]) => skillFromFiles(files, { directoryName }).definition,
    );
    const handler = createSkillsHandler(new SkillRegistry({ skills: skills.filter((skill) => skill !== null) }));
    const url = 'http://localhost/.well-known/agent-skills/index.json';
    expect(await (await runtime.dispatchFetch(url)).text()).toBe(await (await handler(new Request(url))).text());
  });

  it('SRC-4: reads a server by the fetch of the platform', async () => {
    await using server = await serve(createSkillsHandler(libraryProvider()));
    const answer = await (await runtime.dispatchFetch(`http://localhost/?origin=${encodeURIComponent(server.url)}`)).json();
    const files = Object.entries(library).filter(([file]) => !file.endsWith('/SKILL.md'));
    const texts = await Promise.all(files.map(async ([file, content]) => [file, await sha256Hex(content)]));
    expect(answer).toEqual({
      names: ['invoice-check', 'release-notes', 'travel-plans'],
      texts: Object.fromEntries(texts),
      diagnostics: [],
    });
  });
});

describe('the skills command', () => {
  it.each([
    ['the index 0.2.0', '/.well-known/agent-skills/'],
    ['the index 0.1.0', '/.well-known/skills/'],
  ])('SRC-5: installs every skill by %s, and whole trees are the same byte by byte', async (_layout, only) => {
    const handler = createSkillsHandler(libraryProvider());
    const asked: string[] = [];
    await using server = await serve(async (request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      return pathname.startsWith(only) ? await handler(request) : new Response(null, { status: 404 });
    });
    const home = await mkdtemp(path.join(tmpdir(), 'skills-command-'));
    try {
      const project = path.join(home, 'project');
      await mkdir(project);
      await writeFile(path.join(project, 'package.json'), '{"private":true}');
      const command = path.join(createRequire(import.meta.url).resolve('skills/package.json'), '../bin/cli.mjs');
      await run(process.execPath, [command, 'add', server.url, '--skill', '*', '--agent', 'claude-code', '--copy', '--yes'], {
        cwd: project,
        env: { PATH: process.env['PATH'], HOME: home, DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1', CI: '1' },
      });
      const installed = await treeOf(path.join(project, '.claude/skills'));
      const published: Record<string, string> = {};
      for (const name of ['invoice-check', 'release-notes', 'travel-plans']) {
        published[`${name}/SKILL.md`] = await sha256Hex(await bodyOf(handler, `/.well-known/skills/${name}/SKILL.md`));
      }
      for (const [file, content] of Object.entries(library)) if (!file.endsWith('/SKILL.md')) published[file] = await sha256Hex(content);
      expect(installed).toEqual(published);
      expect(asked).toContain(`${only}index.json`);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});

async function bodyOf(handler: (request: Request) => Promise<Response>, pathname: string): Promise<Uint8Array> {
  return new Uint8Array(await (await handler(new Request(`http://localhost${pathname}`))).arrayBuffer());
}

async function treeOf(directory: string): Promise<Record<string, string>> {
  const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const digests = files.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return [path.relative(directory, file).split(path.sep).join('/').normalize('NFC'), await sha256Hex(await readFile(file))];
  });
  return Object.fromEntries(await Promise.all(digests)) as Record<string, string>;
}

describe('what others publish', () => {
  it('SRC-4: the layout of astro-skills: an index with an archive and a text, an hour fresh, without tags', async () => {
    const { gzipSync } = await import('node:zlib');
    const directory = await mkdtemp(path.join(tmpdir(), 'astro-skills-'));
    try {
      const skillMd = '---\nname: site-search\ndescription: Finds pages. Use when a page is looked for.\n---\n\n# Search\n';
      await mkdir(path.join(directory, 'scripts'));
      await writeFile(path.join(directory, 'SKILL.md'), skillMd);
      await writeFile(path.join(directory, 'scripts/find.sh'), 'echo found\n');
      const { stdout: tar } = await run('tar', ['--format=pax', '-cf', '-', '-C', directory, 'SKILL.md', 'scripts/find.sh'], {
        encoding: 'buffer',
      });
      const archive = gzipSync(tar);
      const plain = skillMd.replaceAll('site-search', 'plain-text');
      const index = {
        $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
        skills: [
          {
            name: 'plain-text',
            type: 'skill-md',
            description: 'Finds pages. Use when a page is looked for.',
            url: '/.well-known/agent-skills/plain-text/SKILL.md',
            digest: `sha256:${await sha256Hex(plain)}`,
          },
          {
            name: 'site-search',
            type: 'archive',
            description: 'Finds pages. Use when a page is looked for.',
            url: '/.well-known/agent-skills/site-search.tar.gz',
            digest: `sha256:${await sha256Hex(archive)}`,
          },
        ],
      };
      const routes: Record<string, [string, string | Uint8Array]> = {
        '/.well-known/agent-skills/index.json': ['application/json', JSON.stringify(index, null, 2)],
        '/.well-known/agent-skills/plain-text/SKILL.md': ['text/markdown', plain],
        '/.well-known/agent-skills/site-search.tar.gz': ['application/gzip', archive],
      };
      await using server = await serve(async ({ url }) => {
        const [type, body] = routes[new URL(url).pathname] ?? [];
        if (type === undefined) return new Response('Not found', { status: 404 });
        return new Response(body as string, { headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' } });
      });
      const provider = httpSkillProvider({ url: server.url, allowHttp: true, allowPrivateAddresses: true });
      expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['plain-text', 'site-search']);
      expect((await provider.getSkill('plain-text'))?.body).toBe('# Search');
      expect((await provider.getSkill('site-search'))?.resources.map(({ path: file }) => file)).toEqual(['scripts/find.sh']);
      expect(new TextDecoder().decode((await provider.readResource('site-search', 'scripts/find.sh'))?.bytes)).toBe('echo found\n');
      expect((await provider.listSkills()).diagnostics).toEqual([]);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
