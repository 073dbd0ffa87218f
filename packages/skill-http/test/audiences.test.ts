import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { httpSkillProvider, type HttpSkillProviderOptions } from '../src/index.ts';
import { createSkillsHandler } from '../src/server.ts';
import { SkillRegistry } from '@repertoire/skills-core';
import { codeOf, setUp } from './support/set-up.ts';

const site = (tenant: string) =>
  createSkillsHandler(
    new SkillRegistry({
      skills: [
        {
          name: `of-${tenant}`,
          description: `Of ${tenant}.`,
          body: `Body of ${tenant}.`,
          resources: { 'secret.md': `Secret of ${tenant}.` },
        },
        { name: 'shared', description: 'Of all.', body: `Shared, for ${tenant}.` },
      ],
    }),
  );
const sites = { a: site('a'), b: site('b') };

/** A server that answers each tenant with skills of its own, by its token, of which the letter after "t-" is the tenant. */
function server() {
  const asked: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const token = request.headers.get('authorization') ?? '';
    asked.push(`${token} ${new URL(request.url).pathname.split('/').at(-1)}`);
    const tenant = /^t-([ab])/.exec(token)?.[1];
    return tenant === undefined ? new Response(null, { status: 401 }) : await sites[tenant as 'a' | 'b'](request);
  };
  return { fetch, asked };
}

function providerFor(options: Partial<HttpSkillProviderOptions>, fetch: (request: Request) => Promise<Response>) {
  return httpSkillProvider({ url: 'https://skills.example', fetch, retries: 0, ...options });
}

describe('SRC-4: headers of several tenants', () => {
  it.each([
    ['0.2.0', 'https://skills.example'],
    ['0.1.0', 'https://skills.example/.well-known/skills/index.json'],
  ])('never share a listing, a skill or a file, also not while requests are under way (layout %s) (ATK-48)', async (_layout, url) => {
    const { fetch } = server();
    const tenants = new AsyncLocalStorage<string>();
    const provider = providerFor({ url, headers: () => ({ authorization: `t-${tenants.getStore()}` }) }, fetch);
    const look = (tenant: string) =>
      tenants.run(tenant, async () => ({
        names: (await provider.listSkills()).skills.map(({ name }) => name),
        body: (await provider.getSkill('shared'))?.body,
        theirs: await provider.getSkill(tenant === 'a' ? 'of-b' : 'of-a'),
        file: await provider.readResource(tenant === 'a' ? 'of-b' : 'of-a', 'secret.md'),
      }));
    for (let round = 0; round < 2; round += 1) {
      const [a, b] = await Promise.all([look('a'), look('b')]);
      expect(a).toEqual({ names: ['of-a', 'shared'], body: 'Shared, for a.', theirs: null, file: null });
      expect(b).toEqual({ names: ['of-b', 'shared'], body: 'Shared, for b.', theirs: null, file: null });
    }
  });

  it('are those of the moment of the call, whatever the host sets afterwards', async () => {
    const { fetch } = server();
    let tenant = 'a';
    const provider = providerFor({ headers: () => ({ authorization: `t-${tenant}` }) }, fetch);
    const first = provider.listSkills();
    tenant = 'b';
    const second = provider.listSkills();
    expect((await first).skills[0]?.name).toBe('of-a');
    expect((await second).skills[0]?.name).toBe('of-b');
    // What is kept is right too.
    tenant = 'a';
    expect((await provider.listSkills()).skills[0]?.name).toBe('of-a');
  });

  it('share one listing where they are the same', async () => {
    const { fetch, asked } = server();
    const provider = providerFor({ headers: async () => ({ authorization: 't-a' }) }, fetch);
    const listing = await provider.listSkills();
    expect(await provider.listSkills()).toBe(listing);
    expect(asked).toEqual(['t-a index.json']);
  });

  it('keep what an audience has while its token is renewed', async () => {
    const { fetch, asked } = server();
    let count = 0;
    let tenant = 'a';
    const provider = providerFor({ audience: () => tenant, headers: () => ({ authorization: `t-${tenant}-${(count += 1)}` }) }, fetch);
    const listing = await provider.listSkills();
    expect(await provider.listSkills()).toBe(listing);
    expect(asked).toEqual(['t-a-1 index.json']);
    await provider.getSkill('shared');
    // The token of the call, not that of the one before.
    expect(asked[1]).toMatch(/^t-a-3 /);
    tenant = 'b';
    expect((await provider.listSkills()).skills[0]?.name).toBe('of-b');
  });

  it('do not share what is kept on disk', async () => {
    const { fetch } = server();
    const kept = new Map<string, Uint8Array>();
    const cache = {
      get: async (key: string) => kept.get(key) ?? null,
      set: async (key: string, bytes: Uint8Array) => void kept.set(key, bytes),
    };
    const of = (tenant: string, down = false) =>
      providerFor({ headers: () => ({ authorization: `t-${tenant}` }), cache }, down ? () => Promise.reject(new TypeError('down')) : fetch);
    await of('a').listSkills();
    expect(await codeOf(of('b', true).listSkills())).toBe('source-unavailable');
    expect((await of('a', true).listSkills()).skills[0]?.name).toBe('of-a');
  });

  it("that cannot be told are nobody's", async () => {
    const { fetch, asked } = server();
    const fails = () => Promise.reject(new Error('no vault'));
    expect(await codeOf(providerFor({ headers: fails }, fetch).listSkills())).toBe('source-unavailable');
    expect(await codeOf(providerFor({ audience: fails, headers: {} }, fetch).listSkills())).toBe('source-unavailable');
    expect(await codeOf(providerFor({ audience: (() => undefined) as never }, fetch).listSkills())).toBe('source-unavailable');
    expect(asked).toEqual([]);
    // Where the audience is known, what it has serves while no token can be had.
    let works = true;
    const provider = providerFor(
      { audience: 'a', minFreshMs: 0, headers: () => (works ? { authorization: 't-a' } : fails()), cooldownMs: 0 },
      async (request) => {
        const response = await fetch(request);
        return new Response(response.body, { headers: { 'cache-control': 'max-age=0' } });
      },
    );
    await provider.listSkills();
    works = false;
    const stale = await provider.listSkills();
    expect(stale.skills[0]?.name).toBe('of-a');
    expect(stale.diagnostics.map(({ code }) => code)).toEqual(['stale-index']);
    // GOV-16: a host counts what it opens from the last answer on.
    expect(Object.keys(stale.unconfirmed ?? {})).toEqual([provider.label]);
  });

  it('of more tenants than are kept are asked for again, and never mixed up', async () => {
    const { origin } = setUp();
    origin.intercept = (request) => {
      const tenant = request.headers.get('x-tenant') ?? '';
      const entry = { name: `of-${tenant}`, type: 'skill-md', description: 'd', url: 'a.md', digest: `sha256:${'0'.repeat(64)}` };
      return Response.json({ $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json', skills: [entry] });
    };
    let tenant = 0;
    const provider = providerFor({ headers: () => ({ 'x-tenant': String(tenant) }) }, origin.fetch);
    for (let round = 0; round < 2; round += 1)
      for (tenant = 0; tenant < 120; tenant += 1) expect((await provider.listSkills()).skills[0]?.name).toBe(`of-${tenant}`);
    expect(origin.log.length).toBeGreaterThan(120);
  });
});
