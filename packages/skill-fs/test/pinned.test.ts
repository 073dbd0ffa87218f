import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import type { SkillProvider } from '@repertoire/skills-core';
import { digestOfSkill, sha256Hex } from '@repertoire/skills-core/provider';
import fs from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fileSystemSkillProvider } from '../src/index.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const places = async (provider: SkillProvider) =>
  (await provider.listSkills()).skills.map(({ name, origin }) => [name, `${origin?.label}:${origin?.place}`]);
const library = async () =>
  await temporaryFolder({ 'skills/x/a/SKILL.md': skillMd('a'), 'skills/x/a/run.sh': 'echo one', 'skills/x/a/guide.md': 'Guide' });

describe('places of skills in folders', () => {
  it('PIN-6, GOV-6: begin with the name of the root and are the same wherever it lies', async () => {
    const [here, there] = [await library(), await library()];
    const of = async (root: string) => await places(fileSystemSkillProvider({ roots: [root] }));
    expect(await of(here.at('skills'))).toEqual([['a', 'fs:skills/x/a']]);
    expect(await of(there.at('skills'))).toEqual(await of(here.at('skills')));
    expect(await of(here.at('skills/x/a'))).toEqual([['a', 'fs:a']]);
  });

  it('GOV-6: of roots with one name differ by their order, or by their labels', async () => {
    const folder = await temporaryFolder({ 'one/skills/a/SKILL.md': skillMd('a'), 'two/skills/b/SKILL.md': skillMd('b') });
    const roots = [folder.at('one/skills'), folder.at('two/skills')];
    expect(await places(fileSystemSkillProvider({ roots }))).toEqual([
      ['a', 'fs:skills/a'],
      ['b', 'fs:skills~2/b'],
    ]);
    const labeled = roots.map((path, index) => ({ path, label: `team-${index}` }));
    expect(await places(fileSystemSkillProvider({ roots: labeled }))).toEqual([
      ['a', 'team-0:skills/a'],
      ['b', 'team-1:skills/b'],
    ]);
  });

  it('GOV-6: are where a skill is got from, also by label, and no other place answers', async () => {
    const folder = await library();
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')] });
    expect((await provider.getSkill('a', { place: 'skills/x/a', source: 'fs' }))?.name).toBe('a');
    for (const other of [{ place: 'skills/a' }, { source: 'other' }]) {
      expect(await provider.getSkill('a', other)).toBeNull();
      expect(await provider.readResource('a', 'run.sh', other)).toBeNull();
      expect(await provider.contentOf?.('a', other)).toBeUndefined();
    }
  });
});

describe('contents of skills in folders', () => {
  it('PIN-6, SRC-1: are told by getSkill and contentOf, and follow every change once it is looked at again', async () => {
    const folder = await library();
    let now = 0;
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], staleAfterMs: 1_000, now: () => now });
    const digest = async () => (await digestOfSkill(provider, 'a'))?.digest;
    const changes = [
      async () => await writeFile(folder.at('skills/x/a/run.sh'), 'echo two'),
      async () => await writeFile(folder.at('skills/x/a/added.md'), 'Added'),
      async () => await writeFile(folder.at('skills/x/a/SKILL.md'), skillMd('a', '', 'Other.')),
      async () => await rm(folder.at('skills/x/a/guide.md')),
    ];
    let before = await digest();
    expect(await provider.contentOf?.('a')).toBe(before);
    for (const change of changes) {
      await change();
      expect(await provider.contentOf?.('a')).toBe(before);
      now += 1_000;
      const after = await digest();
      expect(after).not.toBe(before);
      expect([await provider.contentOf?.('a'), (await provider.getSkill('a'))?.content]).toEqual([after, after]);
      expect(await provider.getSkill('a', { content: before ?? '' })).toBeNull();
      expect((await provider.getSkill('a', { content: after ?? '' }))?.name).toBe('a');
      before = after;
    }
  });

  it('SRC-1: what was just loaded is what is told of it, and what a watcher saw is told at once', async () => {
    const folder = await library();
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], staleAfterMs: 3_600_000, watch: { debounceMs: 1 } });
    onTestFinished(() => provider[Symbol.asyncDispose]());
    await provider.contentOf?.('a');
    await writeFile(folder.at('skills/x/a/run.sh'), 'echo two');
    const loaded = (await provider.getSkill('a'))?.content;
    expect(await provider.contentOf?.('a')).toBe(loaded);
    let told = 0;
    provider.watch(() => (told += 1));
    let written = 0;
    // Nothing says when the watcher has begun to look, so it is given changes until it tells of
    // one.
    await vi.waitFor(async () => {
      await writeFile(folder.at('skills/x/a/run.sh'), `echo ${(written += 1)}`);
      expect(told).toBeGreaterThan(0);
    }, 240_000);
    await vi.waitFor(async () => expect([undefined, loaded]).not.toContain(await provider.contentOf?.('a')), 240_000);
  });

  it('SRC-1: are found without reading a file that looks as it did', async () => {
    const folder = await library();
    for (const file of ['SKILL.md', 'run.sh', 'guide.md']) await utimes(folder.at('skills/x/a', file), 1_700_000_000, 1_700_000_000);
    // The time of the last change cannot be set, so the clock is.
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 60_000);
    onTestFinished(() => clock.mockRestore());
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], staleAfterMs: 0 });
    const content = await provider.contentOf?.('a');
    const opens = (['open', 'openSync'] as const).map((method) => vi.spyOn(fs, method));
    expect(await provider.contentOf?.('a')).toBe(content);
    for (const spy of opens) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });

  it('SRC-1: are not known where a file has no digest', async () => {
    const folder = await library();
    const without = fileSystemSkillProvider({ roots: [folder.at('skills')], digests: false });
    expect([without.contentOf, (await without.getSkill('a'))?.content]).toEqual([undefined, undefined]);
    const small = fileSystemSkillProvider({ roots: [folder.at('skills')], limits: { resourceBytes: 7 } });
    expect([await small.contentOf?.('a'), (await small.getSkill('a'))?.content]).toEqual([undefined, undefined]);
  });

  it('SRC-1: a file is read by its digest as a whole, and cut then; another one is null', async () => {
    const folder = await library();
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], limits: { resourceBytes: 100 } });
    for (const [path, text] of [
      ['run.sh', 'echo one'],
      ['SKILL.md', skillMd('a')],
    ] as const) {
      const digest = await sha256Hex(text);
      const read = await provider.readResource('a', path, { digest, maxBytes: 3 });
      expect(read).toMatchObject({ bytes: new TextEncoder().encode(text.slice(0, 3)), size: text.length, digest });
      expect((await provider.readResource('a', path, { digest }))?.bytes).toHaveLength(text.length);
      expect(await provider.readResource('a', path, { digest: await sha256Hex('other') })).toBeNull();
    }
    await writeFile(folder.at('skills/x/a/run.sh'), 'x'.repeat(101));
    expect(await provider.readResource('a', 'run.sh', { digest: await sha256Hex('echo one') })).toBeNull();
  });

  it('CRD-2: of a card with and without a SKILL.md are those of its files', async () => {
    const card = (id: string) => JSON.stringify({ id, description: `What ${id} does.`, base_uri: `./${id}/` });
    const folder = await temporaryFolder({
      'skills/one/skill-card.json': card('one'),
      'skills/one/one/SKILL.md': skillMd('one'),
      'skills/two/skill-card.json': card('two'),
      'skills/two/two/data.txt': 'x',
    });
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')] });
    const { skills } = await provider.listSkills();
    for (const { name } of skills) expect((await provider.getSkill(name))?.content).toBe((await digestOfSkill(provider, name))?.digest);
    expect(await places(provider)).toEqual([
      ['one', 'fs:skills/one/one'],
      ['two', 'fs:skills/two/two'],
    ]);
  });
});

describe('roots without trust', () => {
  const md = (body: string) => skillMd('refunds', '', body);
  const roots = (own: string, market: string) => [
    { path: market, label: 'market', trusted: false },
    { path: own, trusted: true },
  ];

  it('GOV-6: take no name from a trusted root, whatever the order, and say so (ATK-203)', async () => {
    const folder = await temporaryFolder({ 'own/refunds/SKILL.md': md('Own.'), 'market/refunds/SKILL.md': md('Market.') });
    const provider = fileSystemSkillProvider({ roots: roots(folder.at('own'), folder.at('market')) });
    expect(await places(provider)).toEqual([['refunds', 'fs:own/refunds']]);
    expect((await provider.listSkills()).diagnostics).toMatchObject([{ code: 'skill-shadowed', message: /whose root is trusted/ }]);
    expect((await provider.getSkill('refunds'))?.body).toBe('Own.');
  });

  it('GOV-6: take no name while a trusted root that had it is away, and none while one that was never read cannot be', async () => {
    const folder = await temporaryFolder({
      'own/refunds/SKILL.md': md('Own.'),
      'market/refunds/SKILL.md': md('Market.'),
      'market/extra/SKILL.md': skillMd('extra'),
      file: 'No folder.',
    });
    const provider = fileSystemSkillProvider({ roots: roots(folder.at('own'), folder.at('market')), staleAfterMs: 0 });
    expect((await provider.listSkills()).skills).toHaveLength(2);
    await rename(folder.at('own'), folder.at('away'));
    expect(await places(provider)).toEqual([['extra', 'market:market/extra']]);
    expect((await provider.listSkills()).diagnostics.map(({ code }) => code)).toEqual(['root-missing', 'skill-withheld']);
    await expect(provider.getSkill('refunds')).rejects.toMatchObject({ code: 'source-unavailable' });
    await rename(folder.at('away'), folder.at('own'));
    expect((await provider.getSkill('refunds'))?.body).toBe('Own.');
    await rm(folder.at('own/refunds'), { recursive: true });
    // Gone for good, so the name is free; the place tells that it is another skill.
    expect(await places(provider)).toEqual([
      ['extra', 'market:market/extra'],
      ['refunds', 'market:market/refunds'],
    ]);
    expect(await provider.getSkill('refunds', { place: 'own/refunds' })).toBeNull();

    const blocked = fileSystemSkillProvider({ roots: roots(folder.at('file'), folder.at('market')) });
    expect(await places(blocked)).toEqual([]);
    expect((await blocked.listSkills()).complete).toBe(false);
    const later = fileSystemSkillProvider({ roots: roots(folder.at('nowhere'), folder.at('market')) });
    expect(await places(later)).toHaveLength(2);
  });
});
