import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createSkillset } from '@repertoire/skills-core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryPluginFiles, pluginProvider } from '../src/index.ts';
import { pluginDigest, readPlugin } from '../src/internal.ts';
import { pluginRules } from '../src/read/plugin-rules.ts';
import type { PluginEvent, PluginProviderOptions } from '../src/provider/plugin-provider-options.ts';
import { watchByLooking } from '../src/provider/watch-plugins.ts';
import { pluginFolders, standardPluginRoots } from '../src/node.ts';
import { oneFieldBroken } from '../../../test/support/one-field-broken.ts';
import { readManifest } from '../src/read/read-manifest.ts';
import { manifestOf, mcpOf, skillOf } from './support/plugins.ts';
import { writeFixture } from './support/write-fixture.ts';

type Files = Parameters<typeof writeFixture>[0];

async function folderOf(files: Files): Promise<string> {
  const folder = await writeFixture(files);
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const inMemory = (files: Readonly<Record<string, string>>, options: Partial<PluginProviderOptions> = {}) =>
  pluginProvider({ roots: [{ files: memoryPluginFiles(files), name: 'all' }], ...options });

const two = {
  'acme/plugin.json': manifestOf('acme'),
  'acme/skills/pay/SKILL.md': skillOf('pay', 'Pay at Acme.'),
  'acme/skills/audit/SKILL.md': skillOf('audit'),
  'bolt/plugin.json': manifestOf('bolt'),
  'bolt/skills/pay/SKILL.md': skillOf('pay', 'Pay at Bolt.'),
  'notes/readme.md': 'No plugin.\n',
};

describe('PLG-1: plugins as a source', () => {
  it('tells skills of one name apart by their plugin, whatever the order', async () => {
    for (const files of [two, Object.fromEntries(Object.entries(two).reverse())]) {
      const provider = inMemory(files);
      const { skills, diagnostics } = await provider.listSkills();
      expect(skills.map(({ name, origin }) => `${name} at ${origin?.place}`)).toEqual([
        'acme:pay at acme/skills/pay',
        'audit at acme/skills/audit',
        'bolt:pay at bolt/skills/pay',
      ]);
      expect(diagnostics.map(({ code }) => code)).toEqual(['plugin-skill-renamed', 'plugin-skill-renamed']);
      expect((await provider.getSkill('bolt:pay'))?.body).toBe('Pay at Bolt.');
      expect((await provider.getSkill('acme:audit'))?.name).toBe('audit');
      expect(await provider.getSkill('pay')).toBe(null);
    }
  });

  it('lets a model load them by these names', async () => {
    const session = await createSkillset({ provider: inMemory(two) }).open();
    const { events } = await session.load({ name: 'bolt:pay' }, { state: { loaded: {} } });
    expect(events.map((event) => event.type)).toContain('loaded');
  });

  it('lets no plugin without trust take a name from one with it', async () => {
    const root = (name: string, trusted: boolean) => ({
      files: memoryPluginFiles({ 'plugin.json': manifestOf(name), 'skills/pay/SKILL.md': skillOf('pay', name) }),
      name,
      trusted,
    });
    const provider = pluginProvider({ roots: [root('a-stranger', false), root('ours', true)] });
    expect((await provider.listSkills()).skills.map(({ name, origin }) => [name, origin?.trusted])).toEqual([
      ['a-stranger:pay', false],
      ['pay', true],
    ]);
    const same = pluginProvider({ roots: [root('ours', false), root('ours', true)] });
    const { skills, diagnostics } = await same.listSkills();
    expect(skills.map(({ origin }) => origin?.trusted)).toEqual([true]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['plugin-shadowed']);
  });

  it('reads one plugin, a folder of plugins, and the usual places', async () => {
    const folder = await folderOf({
      'project/.git/HEAD': 'ref\n',
      'project/.agents/plugins/acme/plugin.json': manifestOf('acme'),
      'project/.agents/plugins/acme/skills/pay/SKILL.md': skillOf('pay'),
      'project/deep/file': 'x',
      'home/.agents/plugins/bolt/plugin.json': manifestOf('bolt'),
      'home/.agents/plugins/bolt/skills/ship/SKILL.md': skillOf('ship'),
      'home/.agents/plugins/data/bolt/cache.json': '{}',
    });
    const names = async (options: PluginProviderOptions) => (await pluginProvider(options).listSkills()).skills.map(({ name }) => name);
    expect(await names({ roots: pluginFolders([path.join(folder, 'project/.agents/plugins/acme')]) })).toEqual(['pay']);
    expect(await names({ roots: pluginFolders([path.join(folder, 'home/.agents/plugins')]) })).toEqual(['ship']);
    const roots = standardPluginRoots({ cwd: path.join(folder, 'project/deep'), home: path.join(folder, 'home') });
    const provider = pluginProvider({ roots });
    const { skills, diagnostics, complete } = await provider.listSkills();
    expect(skills.map(({ name, origin }) => `${name} ${origin?.trusted}`)).toEqual(['pay false', 'ship false']);
    expect([diagnostics, complete]).toEqual([[], true]);
    expect(await names({ roots: standardPluginRoots({ cwd: path.join(folder, 'deep'), home: folder }) })).toEqual([]);
  });

  it('sees what changes, keeps what does not, and tells of it', async () => {
    const folder = await folderOf({
      'acme/plugin.json': manifestOf('acme'),
      'acme/skills/pay/SKILL.md': skillOf('pay'),
      'acme/skills/audit/SKILL.md': skillOf('audit'),
    });
    const long = new Date(Date.now() - 60_000);
    const events: string[] = [];
    const provider = pluginProvider({
      roots: pluginFolders([folder]),
      staleAfterMs: 0,
      onEvent: ({ type, plugin }: PluginEvent) => events.push(`${type} ${plugin}`),
    });
    const first = await provider.listSkills();
    expect(await provider.listSkills()).toBe(first);
    await writeFile(path.join(folder, 'acme/skills/pay/SKILL.md'), skillOf('pay', 'Now in cash.'));
    await utimes(path.join(folder, 'acme/skills/audit/SKILL.md'), long, long);
    expect((await provider.getSkill('pay'))?.body).toBe('Now in cash.');
    await rename(path.join(folder, 'acme/skills/audit'), path.join(folder, 'acme/skills/review'));
    await writeFile(path.join(folder, 'acme/skills/review/SKILL.md'), skillOf('review'));
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['pay', 'review']);
    await rm(path.join(folder, 'acme'), { recursive: true });
    expect((await provider.listSkills()).skills).toEqual([]);
    expect(events[0]).toBe('plugin-found acme');
    expect(new Set(events)).toEqual(new Set(['plugin-found acme', 'plugin-changed acme', 'skill-read acme', 'plugin-gone acme']));
  });

  it('binds skills to their content', async () => {
    const folder = await folderOf({
      'plugin.json': manifestOf('acme'),
      'skills/pay/SKILL.md': skillOf('pay'),
      'skills/pay/references/a.md': 'One.\n',
    });
    const provider = pluginProvider({ roots: pluginFolders([folder]), staleAfterMs: 0 });
    const before = await provider.getSkill('pay');
    expect(before?.content).toMatch(/^[0-9a-f]{64}$/);
    await writeFile(path.join(folder, 'skills/pay/references/a.md'), 'Two.\n');
    expect((await provider.getSkill('pay'))?.content).not.toBe(before?.content);
    expect(await provider.getSkill('pay', { content: before!.content! })).toBe(null);
  });

  it('tells the content that a skill has now, in memory and in folders', async () => {
    const files = { 'plugin.json': manifestOf('acme'), 'skills/pay/SKILL.md': skillOf('pay'), 'skills/pay/references/a.md': 'One.\n' };
    const folder = await folderOf(files);
    for (const provider of [inMemory(files), pluginProvider({ roots: pluginFolders([folder]) })])
      expect(await provider.contentOf?.('pay')).toBe((await provider.getSkill('pay'))?.content);
    const provider = pluginProvider({ roots: pluginFolders([folder]) });
    const before = await provider.contentOf?.('pay');
    await writeFile(path.join(folder, 'skills/pay/references/a.md'), 'Two.\n');
    expect(await provider.contentOf?.('pay')).not.toBe(before);
    expect(inMemory(files).watch).toBe(undefined);
  });

  it('is watched where timers are numbers, as in Deno', async () => {
    const { setTimeout: start } = globalThis;
    vi.stubGlobal('setTimeout', (...given: Parameters<typeof start>) => Number(start(...given)));
    onTestFinished(() => void vi.unstubAllGlobals());
    const states = ['one', 'two'];
    // What fails between two looks is an unhandled rejection, and fails the run.
    const told = Promise.withResolvers<void>();
    const end = watchByLooking(async () => states.shift() ?? 'two', 0)(told.resolve);
    await told.promise;
    end();
    expect(states).toEqual([]);
  });

  it('is told apart from a folder that is away', async () => {
    const folder = await folderOf({ 'acme/plugin.json': manifestOf('acme') });
    const provider = pluginProvider({ roots: pluginFolders([folder, path.join(folder, 'gone')]) });
    const { diagnostics, complete } = await provider.listSkills();
    expect([diagnostics.map(({ code }) => code), complete]).toEqual([['plugin-root-missing'], false]);
  });

  it('goes on without a root that cannot be read, and says so', async () => {
    const failing = {
      ...memoryPluginFiles(two),
      list: async () => await Promise.reject(new Error('The bucket is shut.')),
    };
    const roots = [
      { files: memoryPluginFiles(two), name: 'whole' },
      { files: failing, name: 'shut' },
    ];
    const { skills, diagnostics, complete } = await pluginProvider({ roots }).listSkills();
    expect([skills.length, complete]).toEqual([3, false]);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: 'plugin-root-unreadable', message: 'The plugins of "shut" cannot be read: The bucket is shut.' }),
    );
    await expect(pluginProvider({ roots: roots.slice(1) }).listSkills()).rejects.toMatchObject({ code: 'source-unavailable' });
  });

  it('reads older manifests for names and places of skills, and nothing that executes', async () => {
    const provider = inMemory({
      'old/.claude-plugin/plugin.json': JSON.stringify({
        name: 'old',
        version: '1.0.0',
        description: 'Pays and ships.',
        skills: [7, './extra', '../escape'],
        mcpServers: { x: { command: 'sh' } },
        hooks: './hooks.json',
      }),
      'old/skills/pay/SKILL.md': skillOf('pay'),
      'old/extra/ship/SKILL.md': skillOf('ship'),
      'old/.mcp.json': mcpOf({ x: { type: 'stdio', command: 'sh' } }),
      'codex/.codex-plugin/plugin.json': JSON.stringify({ name: 'codex', skills: './capabilities/' }),
      'codex/capabilities/audit/SKILL.md': skillOf('audit'),
      'bare/.claude-plugin/plugin.json': JSON.stringify({ name: 'bare', skills: 'more' }),
      'bare/more/refund/SKILL.md': skillOf('refund'),
      'escape/SKILL.md': skillOf('escape'),
    });
    const { skills, diagnostics } = await provider.listSkills();
    expect(skills.map(({ name }) => name)).toEqual(['audit', 'pay', 'refund', 'ship']);
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'info plugin-older-manifest',
      'info plugin-older-manifest',
      'info plugin-older-manifest',
    ]);
    expect(diagnostics.every(({ fix }) => fix?.includes('plugin.json'))).toBe(true);
    expect(await provider.listPlugins()).toMatchObject([
      { manifest: { standard: null, name: 'bare' }, servers: new Map() },
      { manifest: { standard: null, name: 'codex' }, servers: new Map() },
      { manifest: { standard: null, name: 'old', version: '1.0.0', description: 'Pays and ships.' }, servers: new Map() },
    ]);
  });

  it('reads a marketplace for the places of its plugins', async () => {
    const provider = inMemory({
      '.claude-plugin/marketplace.json': JSON.stringify({
        name: 'market',
        plugins: [
          { name: 'bare', source: './tools/bare' },
          { name: 'web', source: { source: 'github', repo: 'a/b' } },
          { name: 'new', source: './tools/new' },
          { name: 'out', source: './../out' },
        ],
      }),
      'tools/bare/skills/pay/SKILL.md': skillOf('pay'),
      'tools/new/plugin.json': manifestOf('renamed'),
      'tools/new/skills/ship/SKILL.md': skillOf('ship'),
      'tools/none/skills/audit/SKILL.md': skillOf('audit'),
    });
    expect((await provider.listSkills()).skills.map(({ name, origin }) => `${name} ${origin?.place}`)).toEqual([
      'pay bare/skills/pay',
      'ship renamed/skills/ship',
    ]);
  });

  it('shows what the draft 1.1.0 adds', async () => {
    const draft = { $schema: 'https://agent-plugins.org/schemas/1.1.0/plugin.schema.json', displayName: 'Acme!', icon: './icon.png' };
    const { plugin, diagnostics } = await readPlugin(memoryPluginFiles({ 'plugin.json': manifestOf('acme', draft) }));
    expect([plugin?.manifest, diagnostics]).toMatchObject([{ standard: '1.1.0', displayName: 'Acme!', icon: './icon.png' }, []]);
    const remote = await readPlugin(
      memoryPluginFiles({ 'plugin.json': manifestOf('acme', { ...draft, icon: 'https://example.com/x.svg' }) }),
    );
    expect([remote.plugin?.manifest.icon, remote.diagnostics.map(({ code }) => code)]).toEqual([undefined, ['plugin-icon']]);
    const old = await readPlugin(memoryPluginFiles({ 'plugin.json': manifestOf('acme', { icon: './icon.png' }) }));
    expect(old.diagnostics.map(({ code }) => code)).toEqual(['plugin-field-unknown']);
  });

  it('names the section of the standard in each deviation', async () => {
    const { diagnostics } = await readPlugin(memoryPluginFiles({ 'plugin.json': '{"name":"A","hooks":1,"author":{"phone":1}}' }));
    expect(diagnostics.map(({ code }) => code)).toEqual(
      ['plugin-schema', 'plugin-field-unknown', 'plugin-name', 'plugin-field-type'].sort(
        (a, b) => diagnostics.findIndex(({ code }) => code === a) - diagnostics.findIndex(({ code }) => code === b),
      ),
    );
    for (const { code, message, fix } of diagnostics) {
      expect(message).toContain(`section ${pluginRules[code as keyof typeof pluginRules].section}`);
      expect(fix).toBeTruthy();
    }
  });

  it.each([
    ['a script that leads out', { 'skills/pay/scripts/run.sh': { link: '../../../../outside/secret' } }],
    ['a folder that leads out', { 'skills/pay/references': { link: '../../../outside' } }],
    ['an absolute link', { 'skills/pay/hosts.md': { link: '/etc/hosts' } }],
    ['a link to itself', { 'skills/pay/loop': { link: 'loop' } }],
    ['a folder that holds itself', { 'skills/pay/again': { link: '.' } }],
  ])('never reads %s', async (_what, hostile) => {
    const inPlugin = Object.fromEntries(Object.entries(hostile).map(([file, content]) => [`plugin/${file}`, content]));
    const folder = await folderOf({
      'plugin/plugin.json': manifestOf('acme'),
      'plugin/skills/pay/SKILL.md': skillOf('pay'),
      'outside/secret': 'Secret.\n',
      ...(inPlugin as Files),
    });
    const provider = pluginProvider({ roots: pluginFolders([path.join(folder, 'plugin')]) });
    const skill = await provider.getSkill('pay');
    expect(skill).not.toBe(null);
    for (const resource of skill!.resources)
      expect(new TextDecoder().decode((await provider.readResource('pay', resource.path))!.bytes)).not.toContain('Secret');
    for (const file of ['scripts/run.sh', 'references/secret', 'hosts.md', 'loop', '../audit/SKILL.md', '../../plugin.json'])
      expect(await provider.readResource('pay', file)).toBe(null);
  });

  it('follows no link of a folder of plugins out of it', async () => {
    const folder = await folderOf({ 'plugins/ours/plugin.json': manifestOf('ours'), 'other/plugin.json': manifestOf('other') });
    await symlink('../other', path.join(folder, 'plugins/link'));
    const provider = pluginProvider({ roots: pluginFolders([path.join(folder, 'plugins')]) });
    expect((await provider.listPlugins()).map(({ manifest }) => manifest.name)).toEqual(['ours']);
    expect((await provider.listSkills()).diagnostics.map(({ code }) => code)).toEqual(['plugin-link-outside']);
  });

  it('bounds what it reads', async () => {
    const huge = await readPlugin(memoryPluginFiles({ 'plugin.json': manifestOf('acme', { description: 'x'.repeat(2_000_000) }) }));
    expect([huge.plugin, huge.diagnostics[0]?.code]).toEqual([null, 'plugin-manifest-json']);
    const nested = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect((await readPlugin(memoryPluginFiles({ 'plugin.json': nested }))).plugin).toBe(null);
  });

  it('is no plugin without a plugin.json', async () => {
    const { plugin, diagnostics } = await readPlugin(memoryPluginFiles({ 'skills/pay/SKILL.md': skillOf('pay') }));
    expect([plugin, diagnostics.map(({ code }) => code)]).toEqual([null, ['plugin-manifest-missing']]);
  });

  it('reads every field of a manifest, and names the one that is wrong', () => {
    const fields = {
      version: '1.0.0',
      description: 'Pays.',
      homepage: 'h',
      repository: 'r',
      license: 'MIT',
      displayName: 'Acme!',
      icon: './i',
    };
    const draft = 'https://agent-plugins.org/schemas/1.1.0/plugin.schema.json';
    const author = { name: 'Ann', email: 'a@b', url: 'u' };
    const whole = { $schema: draft, name: 'acme', ...fields, keywords: ['pay'], author, extensions: { 'com.acme': { a: 1 } } };
    const { $schema: _schema, ...manifest } = whole;
    expect(readManifest(whole)).toEqual({ manifest: { standard: '1.1.0', ...manifest }, diagnostics: [] });
    const silent: string[] = [];
    for (const { place, given, value } of oneFieldBroken({ ...whole, extensions: {} })) {
      const { diagnostics } = readManifest(value);
      if (diagnostics.length === 0) silent.push(`${place} ${given}`);
      else expect(diagnostics.map(({ message }) => message).join(), place).toContain(place.replace(/[[.].*/, '').replace(/^\[/, ''));
    }
    // What may be left out: every field but the first two, and each part of one.
    const optional = [
      ...Object.keys(fields),
      'keywords',
      'keywords[0]',
      'author',
      'author.name',
      'author.email',
      'author.url',
      'extensions',
    ];
    expect(silent).toEqual(optional.map((field) => `${field} nothing`));
  });

  it('refuses options that cannot work', () => {
    expect(() => pluginProvider({ roots: undefined as never })).toThrow(/no list/);
    expect(() => pluginProvider({ roots: [{ name: 'x' } as never] })).toThrow(/no files or no name/);
    // A digest that is none would never block anything.
    expect(() => pluginProvider({ roots: [], block: [{ name: 'acme', digest: 7 as never }] })).toThrow(/"digest"/);
    expect(() => pluginProvider({ roots: [], allow: [{}] })).toThrow(/names nothing/);
    expect(() => pluginFolders([''])).toThrow(/names no folder/);
  });
});

describe('PLG-7: lists of plugins', () => {
  const names = async (options: Partial<PluginProviderOptions>) =>
    (await inMemory(two, options).listPlugins()).map(({ manifest }) => manifest.name);

  it('allow and block by name, start of names, signer and digest', async () => {
    const digest = (await pluginDigest(memoryPluginFiles(two).folder('acme')))!.digest;
    const signerOf = async ({ manifest }: { manifest: { name: string } }) => (manifest.name === 'acme' ? 'ann' : null);
    expect(await names({ allow: [{ name: 'acme' }] })).toEqual(['acme']);
    expect(await names({ allow: [] })).toEqual([]);
    expect(await names({ block: [{ name: 'ac*' }] })).toEqual(['bolt']);
    expect(await names({ allow: [{ digest }] })).toEqual(['acme']);
    expect(await names({ block: [{ digest }] })).toEqual(['bolt']);
    expect(await names({ allow: [{ signer: 'ann' }], signerOf })).toEqual(['acme']);
    expect(await names({ allow: [{ signer: 'ann' }] })).toEqual([]);
    expect(await names({ allow: [{ name: 'acme', signer: 'bob' }], signerOf })).toEqual([]);
    expect(await names({ allow: [{ name: '*' }], block: [{ signer: 'ann' }], signerOf })).toEqual(['bolt']);
  });

  it('pin every file: manifest, skills and servers', async () => {
    const digestOf = async (files: Readonly<Record<string, string>>) => (await pluginDigest(memoryPluginFiles(files)))?.digest;
    const base = {
      'plugin.json': manifestOf('a'),
      'skills/pay/SKILL.md': skillOf('pay'),
      'mcp.json': mcpOf({ x: { type: 'stdio', command: 'node' } }),
    };
    const all = [
      base,
      { ...base, 'plugin.json': manifestOf('b') },
      { ...base, 'skills/pay/SKILL.md': skillOf('pay', 'x') },
      { ...base, 'mcp.json': mcpOf({ x: { type: 'stdio', command: 'sh' } }) },
      { ...base, 'x.md': '' },
    ];
    expect(new Set(await Promise.all(all.map(digestOf))).size).toBe(5);
  });

  it('give no digest to a plugin that leads out of itself, so that no list of digests allows it', async () => {
    const folder = await folderOf({ 'plugin/plugin.json': manifestOf('acme'), 'plugin/link': { link: '../x' }, x: 'x' });
    await mkdir(path.join(folder, 'y'));
    const [root] = pluginFolders([path.join(folder, 'plugin')]);
    expect(await pluginDigest(root!.files)).toBe(null);
    const provider = pluginProvider({ roots: [root!], block: [{ digest: '0'.repeat(64) }] });
    expect(await provider.listPlugins()).toEqual([]);
  });

  it('tell who was refused', async () => {
    const events: string[] = [];
    const provider = inMemory(two, { block: [{ name: 'bolt' }], onEvent: ({ type, plugin }) => events.push(`${type} ${plugin}`) });
    expect((await provider.listSkills()).diagnostics.map(({ code }) => code)).toEqual(['plugin-not-allowed']);
    expect(events).toEqual(['plugin-refused bolt', 'plugin-found acme']);
  });
});
