import { composeProviders, SkillRegistry } from '@repertoire/skills-core';
import { digestOfSkill, type SkillListing } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { mcpConnection } from '../src/connection/official-client.ts';
import { mcpSkillProvider, type McpSkillProviderOptions } from '../src/index.ts';
import { connectInMemory } from './support/connect.ts';
import { library, skillServer, type ServedLibrary } from './support/skill-server.ts';

const md = (name: string, body = 'Body.', fields = ''): string =>
  `---\nname: ${name}\ndescription: What ${name} does.\n${fields}---\n${body}\n`;
const text = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes);

/**
 * A provider that asks the server each time, and the files of the server, which may be replaced.
 */
async function open(files: Record<string, string>, options: Partial<McpSkillProviderOptions> = {}, change: Partial<ServedLibrary> = {}) {
  const served: ServedLibrary = { ...library(files), deep: true, ...change };
  const { client } = await connectInMemory(skillServer(served));
  return { served, provider: mcpSkillProvider({ label: 'crm', client, minFreshMs: 0, ...options }) };
}

/** A listing of entries that say nothing of their files. */
function listed(uris: readonly string[], name = 'refunds', version?: (uri: string) => string) {
  const skills = uris.map((uri) => ({
    uri,
    frontmatter: { name, description: uri, ...(version !== undefined && { version: version(uri) }) },
    resources: 'dynamic',
  }));
  return mcpSkillProvider({ profile: 'lenient', client: { extension: () => ({}), request: async () => ({ skills }) } }).listSkills();
}

const named = ({ skills }: SkillListing) => Object.fromEntries(skills.map(({ name, origin }) => [origin?.place ?? '', name]));

describe('skills of one name on one server', () => {
  it('PIN-6, SRC-6, host/identity: are all listed, each by its path, with its scheme where paths are the same, in any order', async () => {
    const uris = ['skill://x/refunds/SKILL.md', 'github://x/refunds/SKILL.md', 'repo://y/refunds/SKILL.md', 'skill://refunds/SKILL.md'];
    const listing = await listed(uris);
    expect(named(listing)).toEqual({
      'skill://x/refunds/SKILL.md': 'x/refunds~skill',
      'github://x/refunds/SKILL.md': 'x/refunds~github',
      'repo://y/refunds/SKILL.md': 'y/refunds',
      'skill://refunds/SKILL.md': 'refunds~skill',
    });
    expect(named(await listed(uris.toReversed()))).toEqual(named(listing));
    expect(listing.diagnostics.filter(({ code }) => code === 'skill-renamed')).toHaveLength(4);
    expect(listing.diagnostics.map(({ code }) => code)).not.toContain('entry-duplicate');
    // Two spellings of one path are two URIs, and so two skills.
    expect(Object.values(named(await listed(['skill://ab/refunds/SKILL.md', 'skill://a%62/refunds/SKILL.md'])))).toEqual([
      'skill://a%62/refunds',
      'skill://ab/refunds',
    ]);
  });

  it('SRC-6, host/identity: are no versions of one another, unless they lie where our publisher puts versions', async () => {
    const uris = ['skill://acme/billing/refunds/SKILL.md', 'skill://acme/support/refunds/SKILL.md'];
    const listing = await listed(uris, 'refunds', (uri) => (uri.includes('billing') ? '1.0.0' : '2.0.0'));
    expect(Object.values(named(listing))).toEqual(['acme/billing/refunds', 'acme/support/refunds']);
    const versions = [
      'skill://p/refunds/SKILL.md',
      'skill://p/_versions/1.0.0/refunds/SKILL.md',
      'skill://q/_versions/1.0.0/refunds/SKILL.md',
    ];
    const version = (uri: string) => (uri.includes('_versions') ? '1.0.0' : '2.0.0');
    expect(named(await listed(versions, 'refunds', version))).toEqual({
      'skill://p/refunds/SKILL.md': 'p/refunds',
      'skill://p/_versions/1.0.0/refunds/SKILL.md': 'p/refunds',
      'skill://q/_versions/1.0.0/refunds/SKILL.md': 'q/refunds',
    });
    // A folder that claims another version than the skill says is no such folder.
    expect(Object.values(named(await listed(versions, 'refunds', () => '3.0.0')))).toContain('p/_versions/1.0.0/refunds');
  });

  it('SRC-6, host/identity: a loaded skill keeps its place when another one of its name appears', async () => {
    const { served, provider } = await open({ 'crm/billing/SKILL.md': md('billing', 'Good.'), 'crm/billing/run.sh': 'good' });
    const skill = await provider.getSkill('billing');
    const pinned = { place: skill?.origin?.place, content: skill?.content ?? '', source: 'crm' };
    served.files = { ...served.files, 'aaa/billing/SKILL.md': md('billing', 'Evil.'), 'aaa/billing/run.sh': 'evil' };
    expect(named(await provider.listSkills())).toMatchObject({ 'skill://crm/billing/SKILL.md': 'crm/billing' });
    expect((await provider.getSkill('billing', pinned))?.body).toBe('Good.');
    expect(text((await provider.readResource('billing', 'run.sh', pinned))?.bytes)).toBe('good');
    expect(await provider.contentOf?.('billing', pinned)).toBe(pinned.content);
    expect(await provider.getSkill('billing')).toBeNull();
    delete (served.files as Record<string, unknown>)['crm/billing/SKILL.md'];
    expect(await provider.getSkill('billing', pinned)).toBeNull();
    expect(await provider.readResource('aaa/billing', 'run.sh', pinned)).toBeNull();
  });

  it('SRC-6, host/shadow: a skill over MCP takes no name from a trusted folder, whatever the order, and none while that cannot be read (ATK-204)', async () => {
    const { provider } = await open({ 'deploy/SKILL.md': md('deploy', 'Remote.') });
    const own = new SkillRegistry({ skills: [{ name: 'deploy', description: 'Own.', body: 'Own.' }], label: 'own' });
    for (const onCollision of ['first', 'last', 'rename'] as const) {
      for (const sources of [
        [own, provider],
        [provider, own],
      ]) {
        const both = composeProviders(sources, { onCollision });
        expect((await both.getSkill('deploy'))?.body).toBe('Own.');
        expect((await both.getSkill('crm:deploy'))?.body).toBe('Remote.');
        expect((await both.listSkills()).diagnostics.map(({ code }) => code)).toContain(
          onCollision === 'rename' ? 'skill-renamed' : 'skill-shadowed',
        );
      }
    }
    const failing = () => Promise.reject(new Error('disk gone'));
    const broken = { label: 'own', listSkills: failing, getSkill: failing, readResource: failing };
    await expect(composeProviders([broken, provider]).getSkill('deploy')).rejects.toMatchObject({ source: 'own' });
  });
});

describe('what was loaded', () => {
  const files = { 'pdf/SKILL.md': md('pdf', 'Read refs/a.md.'), 'pdf/refs/a.md': 'old a', 'pdf/inner/SKILL.md': md('inner') };

  it('PIN-6, SRC-6: its content is the digest of what its entry promises, told without reading', async () => {
    const { served, provider } = await open(files);
    const content = await provider.contentOf?.('pdf');
    expect(served.reads).toEqual([]);
    expect([(await provider.getSkill('pdf'))?.content, (await digestOfSkill(provider, 'pdf'))?.digest]).toEqual([content, content]);
    served.files = { ...files, 'pdf/refs/b.md': 'added' };
    expect([undefined, content]).not.toContain(await provider.contentOf?.('pdf'));
    // The entry of before is pinned, and its bytes are still there.
    expect((await provider.getSkill('pdf', { content: content ?? '' }))?.resources.map(({ path }) => path)).not.toContain('refs/b.md');
    served.files = { ...files, 'pdf/SKILL.md': md('pdf', 'Other.') };
    expect(await provider.getSkill('pdf', { content: content ?? '' })).toBeNull();
  });

  it('SRC-6, host/pinned: its files resolve by the entry that it was loaded from, and by no newer one', async () => {
    const { served, provider } = await open(files);
    const content = (await provider.getSkill('pdf'))?.content ?? '';
    const read = async (path: string) => text((await provider.readResource('pdf', path, { content }))?.bytes) ?? null;
    expect(await read('refs/a.md')).toBe('old a');
    served.files = { ...files, 'pdf/refs/b.md': 'added' };
    expect([await read('refs/a.md'), await read('refs/b.md')]).toEqual(['old a', null]);
    served.files = { ...files, 'pdf/refs/a.md': 'new a' };
    expect(await read('refs/a.md')).toBeNull();
    expect(text((await provider.readResource('pdf', 'refs/a.md'))?.bytes)).toBe('new a');
    served.files = files;
    expect(await read('refs/a.md')).toBe('old a');
    // Bytes that are not as the entry promises are an error, and no change.
    served.bytes = (_uri, bytes) => bytes.map((byte) => byte ^ 1);
    await expect(read('refs/a.md')).rejects.toMatchObject({ code: 'digest-mismatch' });
  });

  it('SRC-6, host/pinned: the content of another process is found by the newest entry, though the listing is older', async () => {
    const { served, provider } = await open(files, { minFreshMs: 60_000 });
    await provider.listSkills();
    served.files = { ...files, 'pdf/refs/a.md': 'new a' };
    const other = await open(served.files as Record<string, string>);
    const content = (await other.provider.contentOf?.('pdf')) ?? '';
    expect((await provider.getSkill('pdf', { content }))?.content).toBe(content);
    expect(text((await provider.readResource('pdf', 'refs/a.md', { content }))?.bytes)).toBe('new a');
  });

  it('SRC-6, PIN-6: a content that is gone is asked for once, and not at each call', async () => {
    const served: ServedLibrary = { ...library(files), deep: true };
    const { client } = await connectInMemory(skillServer(served));
    const connection = mcpConnection(client);
    const asked: string[] = [];
    const provider = mcpSkillProvider({
      minFreshMs: 60_000,
      client: {
        extension: (...given) => connection.extension(...given),
        request: async (method: string, params: never, options: never) => {
          asked.push(method);
          return await connection.request(method, params, options);
        },
      },
    });
    await provider.listSkills();
    const content = 'f'.repeat(64);
    for (let call = 0; call < 5; call += 1) {
      expect(await provider.getSkill('pdf', { content })).toBeNull();
      expect(await provider.readResource('pdf', 'refs/a.md', { content })).toBeNull();
    }
    expect(asked.filter((method) => method === 'skills/get')).toHaveLength(1);
  });

  it('SRC-6, host/absence: a skill that is not listed is found by its URI, and by its place', async () => {
    const { client } = await connectInMemory(skillServer(library(files)));
    const connection = mcpConnection(client);
    const partial = mcpSkillProvider({
      client: {
        extension: () => ({}),
        request: async (method: string, params: never, options: never) =>
          method === 'skills/list' ? { skills: [] } : await connection.request(method, params, options),
      },
    });
    expect((await partial.listSkills()).skills).toEqual([]);
    const place = 'skill://pdf/SKILL.md';
    const skill = await partial.getSkill(place);
    expect([skill?.name, skill?.body, skill?.origin?.place]).toEqual([place, 'Read refs/a.md.', place]);
    expect((await partial.getSkill('pdf', { place }))?.name).toBe('pdf');
    expect(text((await partial.readResource(place, 'refs/a.md'))?.bytes)).toBe('old a');
    expect(await partial.contentOf?.('pdf', { place })).toBe(skill?.content);
    expect([
      await partial.getSkill('pdf'),
      await partial.getSkill('other', { place }),
      await partial.getSkill('skill://no/SKILL.md'),
    ]).toEqual([null, null, null]);
  });

  it('SRC-6, host/entry: a resource is a skill by an entry only, never by its scheme', async () => {
    const { client } = await connectInMemory(skillServer(library(files)));
    const connection = mcpConnection(client);
    const asked: string[] = [];
    const unlisted = mcpSkillProvider({
      client: {
        extension: () => ({}),
        request: async (...given: Parameters<typeof connection.request>) => {
          const [method] = given;
          asked.push(method);
          if (method === 'skills/list') return { skills: [] };
          if (method === 'skills/get') throw Object.assign(new Error('No such skill.'), { code: -32602 });
          return method === 'resources/list'
            ? { resources: [{ uri: 'skill://pdf/SKILL.md', name: 'pdf' }] }
            : await connection.request(...given);
        },
      },
    });
    expect((await unlisted.listSkills()).skills).toEqual([]);
    expect([await unlisted.getSkill('pdf'), await unlisted.getSkill('skill://pdf/SKILL.md')]).toEqual([null, null]);
    expect(asked.filter((method) => method.startsWith('resources/'))).toEqual([]);
  });

  it('SRC-6, host/nested: the files of a skill inside another one are files of both, and its SKILL.md is a text there', async () => {
    const { provider } = await open({ ...files, 'pdf/inner/SKILL.md': md('inner', 'Inner.', 'allowed-tools: Bash(rm:*)\n') });
    const outer = await provider.getSkill('pdf');
    expect(outer?.resources.map(({ path }) => path)).toEqual(expect.arrayContaining(['inner/SKILL.md', 'refs/a.md']));
    expect(text((await provider.readResource('pdf', 'inner/SKILL.md'))?.bytes)).toContain('Bash(rm:*)');
    expect(outer?.allowedTools).toBeUndefined();
    expect((await provider.getSkill('inner'))?.origin?.place).toBe('skill://pdf/inner/SKILL.md');
  });

  it('SRC-6, host/dynamic: a skill whose entry promises nothing has no content', async () => {
    const { provider } = await open(files, {}, { entry: (entry) => ({ ...entry, resources: 'dynamic' as const }) });
    expect([await provider.contentOf?.('pdf'), (await provider.getSkill('pdf'))?.content]).toEqual([null, null]);
    expect(await provider.getSkill('pdf', { content: 'a'.repeat(64) })).toBeNull();
  });
});
