import { gunzipSync } from 'node:zlib';
import { defineSkill, SkillError, SkillRegistry, type Skill, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider, noteSkillMd } from '@repertoire/skills-core/internal';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { turnsDuring } from '../../skills-testkit/src/turns-during.ts';
import { describe, expect, it } from 'vitest';
import { createSkillsHandler, type SkillsHandler } from '../src/server.ts';
import { Clock } from './support/origin.ts';

const root = '/.well-known/agent-skills';
const maps = defineSkill({ name: 'maps', description: 'Draws maps.', body: 'North is up.', resources: { 'references/key.md': '# Key\n' } });

interface Entry {
  readonly url: string;
  readonly digest: string;
}

async function ask(handler: SkillsHandler, path: string, init: RequestInit = {}): Promise<Response> {
  return await handler(new Request(`https://skills.example${path}`, init));
}

async function entriesOf(handler: SkillsHandler): Promise<readonly Entry[]> {
  return ((await (await ask(handler, `${root}/index.json`)).json()) as { skills: Entry[] }).skills;
}

describe('publishing', () => {
  it('SRC-5: reads no file that came with its skill', async () => {
    const inner = fixedSkillProvider([maps]);
    const read: string[] = [];
    const counted: SkillProvider = {
      ...inner,
      readResource: async (name, path, options) => (read.push(path), await inner.readResource(name, path, options)),
    };
    const [plain] = await entriesOf(createSkillsHandler(counted));
    const files = { 'references/key.md': new TextEncoder().encode('# Key\n') };
    const withFiles: SkillProvider = {
      ...counted,
      async getSkill(name, options) {
        const skill = await inner.getSkill(name, options);
        return skill && { ...skill, ...(options?.withBytes !== undefined && { files }) };
      },
    };
    const [entry] = await entriesOf(createSkillsHandler(withFiles));
    expect(entry?.digest).toBe(plain?.digest);
    // A skill in code has no SKILL.md, and signatures are not listed.
    expect(read).toEqual(['SKILL.md', 'skill.oms.sig', 'references/key.md', 'SKILL.md', 'skill.oms.sig']);
  });
});

describe('publishing what the source knows already', () => {
  const text = (name: string): Uint8Array => new TextEncoder().encode(`---\nname: ${name}\ndescription: Draws maps.\n---\nNorth is up.\n`);
  const content = 'c'.repeat(64);

  function withMain(main: Uint8Array, own: Partial<Skill> = {}): SkillsHandler {
    const inner = fixedSkillProvider([maps]);
    return createSkillsHandler({
      ...inner,
      async getSkill(name, options) {
        const skill = await inner.getSkill(name, options);
        const files = { 'SKILL.md': main, 'references/key.md': new TextEncoder().encode('# Key\n') };
        return skill && { ...skill, content, files, ...own };
      },
    });
  }

  it('SRC-5: parses no SKILL.md again, and any copy of one', async () => {
    const main = text('other');
    noteSkillMd(main, { name: 'maps', digest: await sha256Hex(main) });
    expect(await entriesOf(withMain(main))).toHaveLength(1);
    const copied = withMain(main.slice());
    expect(await entriesOf(copied)).toEqual([]);
    expect(await copied.diagnostics()).toMatchObject([{ message: expect.stringContaining('says that its name is "other"') as string }]);
    noteSkillMd(main, { name: 'other', digest: await sha256Hex(main) });
    expect(await entriesOf(withMain(main))).toEqual([]);
  });

  it('SRC-5: names a version by the files that it publishes, whatever content the source claims', async () => {
    const versionOf = async (handler: SkillsHandler): Promise<unknown> => {
      const { skills } = (await (await ask(handler, '/.well-known/skills/index.json')).json()) as { skills: { version: string }[] };
      return skills[0]?.version;
    };
    const main = text('maps');
    const made = await versionOf(withMain(main, { content: undefined }));
    expect(made).toMatch(/^[0-9a-f]{16}$/);
    expect(made).not.toBe(content.slice(0, 16));
    expect(await versionOf(withMain(main))).toBe(made);
    // A source that hides a file, and has the content of all.
    expect(await versionOf(withMain(main, { resources: [] }))).not.toBe(content.slice(0, 16));
    expect(await versionOf(withMain(main, { files: { 'SKILL.md': main } }))).toBe(made);
  });
});

describe('archives on their way', () => {
  const large = defineSkill({ ...maps, resources: { 'references/key.md': '# Key\n'.repeat(2_000) } });

  async function archiveOf(handler: SkillsHandler): Promise<{ readonly path: string; readonly digest: string }> {
    const [entry] = await entriesOf(handler);
    return { path: `${root}/${entry?.url}`, digest: entry?.digest ?? '' };
  }

  it.each([
    ['gzip, deflate, br', true],
    ['br;q=1.0, GZIP;q=0.5', true],
    ['*', true],
    ['gzip;q=0', false],
    ['br, identity', false],
    ['', false],
  ])('SRC-5: are compressed for a client that takes %j: %s', async (accepted, isCompressed) => {
    const handler = createSkillsHandler(new SkillRegistry({ skills: [large] }));
    const { path, digest } = await archiveOf(handler);
    const response = await ask(handler, path, { headers: { 'accept-encoding': accepted } });
    const sent = new Uint8Array(await response.arrayBuffer());
    expect(response.headers.get('content-encoding')).toBe(isCompressed ? 'gzip' : null);
    expect(response.headers.get('vary')).toContain('accept-encoding');
    const bytes = isCompressed ? new Uint8Array(gunzipSync(sent)) : sent;
    expect(`sha256:${await sha256Hex(bytes)}`).toBe(digest);
    if (isCompressed) expect(sent.length).toBeLessThan(bytes.length / 4);
    const etag = response.headers.get('etag') ?? '';
    expect(etag.startsWith('W/')).toBe(isCompressed);
    expect((await ask(handler, path, { headers: { 'accept-encoding': accepted, 'if-none-match': etag } })).status).toBe(304);
  });

  it('SRC-5: are made small at once where the host wants that, and not compressed twice', async () => {
    const handler = createSkillsHandler(new SkillRegistry({ skills: [large] }), { compress: true });
    const { path } = await archiveOf(handler);
    const response = await ask(handler, path, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(2_000);
  });
});

describe('reading everything before the first request', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ ...maps, name: `maps-${index}` }));

  it('SRC-5: tells how far it is, and the first request asks the provider for nothing', async () => {
    const inner = fixedSkillProvider(many);
    let asked = 0;
    const provider: SkillProvider = {
      label: 'counted',
      listSkills: async (options) => await inner.listSkills(options),
      getSkill: async (name, options) => ((asked += 1), await inner.getSkill(name, options)),
      readResource: async (name, path, options) => ((asked += 1), await inner.readResource(name, path, options)),
    };
    const handler = createSkillsHandler(provider, { now: new Clock().now });
    const told: [number, number][] = [];
    await handler.prime({ onProgress: (done, total) => void told.push([done, total]) });
    expect(told).toEqual(Array.from({ length: 41 }, (_, done) => [done, 40]));
    const before = asked;
    expect(await entriesOf(handler)).toHaveLength(40);
    expect(asked).toBe(before);
    expect(before).toBeGreaterThanOrEqual(40);
  });

  it('SRC-5: is not stopped by who watches, and can be left', async () => {
    const handler = createSkillsHandler(new SkillRegistry({ skills: many }));
    await handler.prime({
      onProgress: () => {
        throw new Error('oops');
      },
    });
    expect(await entriesOf(handler)).toHaveLength(40);
    const reason = new Error('enough');
    await expect(createSkillsHandler(new SkillRegistry({ skills: many })).prime({ signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });

  it('SRC-5: says that the provider does not answer', async () => {
    const down: SkillProvider = {
      ...fixedSkillProvider([]),
      listSkills: async () => await Promise.reject(new SkillError('source-unavailable', 'It is down.')),
    };
    await expect(createSkillsHandler(down).prime()).rejects.toMatchObject({ code: 'source-unavailable' });
  });

  it('SRC-5: lets others have their turn', async () => {
    // A provider that never waits for anything.
    const handler = createSkillsHandler(new SkillRegistry({ skills: many.map((skill) => ({ ...skill, body: 'x'.repeat(100_000) })) }));
    expect(await turnsDuring(() => handler.prime())).toBeGreaterThanOrEqual(8);
  });
});
