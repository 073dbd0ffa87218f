import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { defineSkill } from '@repertoire/skills-core';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { openWorkerd } from './open-workerd.ts';
import { skillsSite, type SkillsSite } from './skills-site.ts';

const indexPath = '/.well-known/agent-skills/index.json';
const parcels = defineSkill({ name: 'parcels', description: 'Finds parcels.', body: 'Ask for the number.' });

describe('a provider in the module of a Worker, whose requests may not wait for one another', () => {
  const sites = new AsyncDisposableStack();
  let site: SkillsSite;
  let runtime: Miniflare;

  beforeAll(async () => {
    runtime = openWorkerd(await bundleTestWorker(`export { default } from './workers/module-scope-worker.ts';`));
  });
  afterAll(async () => {
    await sites.disposeAsync();
    await runtime.dispose();
  });
  // The Worker keeps providers by their sites, so each test has one of its own. All stay open, so that no port comes twice.
  beforeEach(async () => {
    site = sites.use(await skillsSite([parcels]));
  });

  async function ask(path: string, signal: AbortSignal | null = null): Promise<unknown> {
    const url = new URL(path, await runtime.ready);
    url.searchParams.set('origin', site.url);
    return await (await fetch(url, { signal })).json();
  }

  /** Asks, and goes away once the site was asked, which never answers this one. */
  async function leave(path: string, sitePath: string): Promise<void> {
    const gone = new AbortController();
    const swallowed = site.swallowNext(sitePath);
    const first = ask(path, gone.signal);
    await swallowed;
    gone.abort();
    await expect(first).rejects.toThrow('aborted');
  }

  const whole = { names: ['haiku', 'parcels'], diagnostics: [] };

  it('SRC-4: a client that goes away while the skills are listed spoils the list for nobody', async () => {
    await leave('/', indexPath);
    expect(await Promise.all(Array.from({ length: 20 }, () => ask('/')))).toEqual(Array.from({ length: 20 }, () => whole));
  });

  it('SRC-4: others go on while one is still waiting for an answer', async () => {
    const gone = new AbortController();
    const swallowed = site.swallowNext(indexPath);
    const first = ask('/', gone.signal);
    await swallowed;
    expect(await ask('/')).toEqual(whole);
    gone.abort();
    await expect(first).rejects.toThrow('aborted');
    expect(await ask('/')).toEqual(whole);
  });

  it('SRC-4: a client that goes away while a skill is read spoils the skill for nobody', async () => {
    const index = (await (await fetch(site.url + indexPath)).json()) as { skills: { url: string }[] };
    await leave('/?skill=parcels', new URL(index.skills[0]?.url ?? '', site.url + indexPath).pathname);
    expect(await ask('/?skill=parcels')).toBe('Ask for the number.');
  });

  it('SRC-6: a client that goes away while an MCP server lists its skills spoils the list for nobody', async () => {
    const url = new URL(`/mcp?origin=${encodeURIComponent(site.url)}`, await runtime.ready);
    const call = async (signal?: AbortSignal) => {
      const client = new Client({ name: 'outside', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
      try {
        await client.connect(new StreamableHTTPClientTransport(url));
        return await client.callTool({ name: 'list_skills', arguments: {} }, { ...(signal !== undefined && { signal }) });
      } finally {
        await client.close();
      }
    };
    const gone = new AbortController();
    const swallowed = site.swallowNext(indexPath);
    const first = call(gone.signal);
    await swallowed;
    gone.abort();
    await expect(first).rejects.toThrow();
    expect((await call()).content).toEqual([{ type: 'text', text: expect.stringContaining('parcels') }]);
  });

  it('SRC-6: a client that goes away while skills are listed over MCP spoils the list for nobody', async () => {
    await leave('/over-mcp', indexPath);
    expect(await ask('/over-mcp')).toEqual(['parcels']);
  });

  it('SRC-5: a client that goes away while a site is built spoils the site for nobody', async () => {
    await leave(indexPath, indexPath);
    expect(await ask(indexPath)).toMatchObject({ skills: [{ name: 'parcels' }] });
  });
});
