import { describe, expect, it } from 'vitest';
import { fileSystemSkillProvider } from '../src/index.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const names = async (provider: ReturnType<typeof fileSystemSkillProvider>): Promise<string[]> =>
  (await provider.listSkills()).skills.map(({ name }) => name);

describe('links on the way to a skill', () => {
  it('SRC-1: a linked folder is one skill, known by the path without a link', async () => {
    const folder = await temporaryFolder({ 'b-real/SKILL.md': skillMd('b-real'), 'b-real/x.md': 'X' });
    await folder.link('b-real', 'a-link');
    await folder.link('b-real', 'c-link');
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    const skills = (await provider.listSkills()).skills;
    expect(skills).toHaveLength(1);
    expect(skills[0]?.origin?.uri).toMatch(/\/b-real\/$/);
    expect((await provider.listSkills()).diagnostics).toEqual([]);
  });

  it('SRC-1: follows a link that stays in its root, to where the search would not have gone', async () => {
    const folder = await temporaryFolder({
      '.store/kept/SKILL.md': skillMd('kept'),
      '.store/kept/x.md': 'X',
      '.store/kept/inner/SKILL.md': skillMd('inner'),
    });
    await folder.link('.store/kept', 'kept');
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect(await names(provider)).toEqual(['inner', 'kept']);
    expect((await provider.getSkill('kept'))?.resources.map(({ path }) => path)).toEqual(['inner/SKILL.md', 'x.md']);
    expect(new TextDecoder().decode((await provider.readResource('kept', 'x.md'))?.bytes)).toBe('X');
  });

  it('SRC-1: refuses a link that leaves its root, and says so; `all` follows it, `none` follows nothing', async () => {
    const folder = await temporaryFolder({
      'root/in/SKILL.md': skillMd('in'),
      'elsewhere/out/SKILL.md': skillMd('out'),
      'elsewhere/one.md': skillMd('one'),
    });
    await folder.link('../elsewhere/out', 'root/out');
    await folder.link('../../elsewhere/one.md', 'root/one/SKILL.md');
    await folder.link('in', 'root/twin');
    const roots = [folder.at('root')];
    const inside = fileSystemSkillProvider({ roots });
    expect(await names(inside)).toEqual(['in']);
    expect((await inside.listSkills()).diagnostics).toMatchObject([
      {
        code: 'link-outside-root',
        severity: 'warning',
        path: folder.at('root/one/SKILL.md'),
        message: expect.stringContaining(folder.at('elsewhere/one.md')),
      },
      {
        code: 'link-outside-root',
        severity: 'warning',
        path: folder.at('root/out'),
        message: expect.stringContaining(folder.at('elsewhere/out')),
      },
    ]);
    const all = fileSystemSkillProvider({ roots, links: 'all' });
    expect(await names(all)).toEqual(['in', 'one', 'out']);
    expect((await all.getSkill('one'))?.body).toBe('Instructions of one.');
    const none = fileSystemSkillProvider({ roots, links: 'none' });
    expect(await names(none)).toEqual(['in']);
    expect((await none.listSkills()).diagnostics).toEqual([]);
  });

  it('SRC-2: a file or folder of a skill that a link brings in from outside is not listed, and is told with the skill', async () => {
    const folder = await temporaryFolder({
      'root/a/SKILL.md': skillMd('a'),
      'root/a/x.md': 'X',
      'root/shared/rules.md': 'Rules',
    });
    await folder.link('../shared/rules.md', 'root/a/rules.md');
    await folder.link('../shared', 'root/a/shared');
    await folder.link('x.md', 'root/a/twin.md');
    await folder.link('nowhere', 'root/a/broken.md');
    const provider = fileSystemSkillProvider({ roots: [folder.at('root')] });
    const skill = await provider.getSkill('a');
    expect(skill?.resources.map(({ path }) => path)).toEqual(['twin.md', 'x.md']);
    expect(skill?.diagnostics).toMatchObject([
      {
        code: 'link-outside-skill',
        severity: 'error',
        skill: 'a',
        path: folder.at('root/a/rules.md'),
        message: expect.stringContaining(folder.at('root/shared/rules.md')),
      },
      { code: 'link-outside-skill', severity: 'error', skill: 'a', path: folder.at('root/a/shared') },
    ]);
    // Level 1 looks into no skill.
    expect((await provider.listSkills()).diagnostics.filter(({ code }) => code === 'link-outside-skill')).toEqual([]);
  });

  it.each([false, true])('SRC-2: nor is it read by its path, with hidden files %s', async (hiddenFiles) => {
    const folder = await temporaryFolder({
      'root/a/SKILL.md': skillMd('a'),
      'root/a/x.md': 'X',
      'root/a/men\u00fc/x.md': 'X',
      'root/shared/rules.md': 'Rules',
    });
    await folder.link('../shared/rules.md', 'root/a/rules.md');
    await folder.link('../shared', 'root/a/cafe\u0301');
    await folder.link('x.md', 'root/a/twin.md');
    const provider = fileSystemSkillProvider({ roots: [folder.at('root')], hiddenFiles });
    for (const path of ['rules.md', 'caf\u00e9/rules.md']) expect(await provider.readResource('a', path)).toBeNull();
    for (const path of ['twin.md', 'men\u00fc/x.md']) expect((await provider.readResource('a', path))?.size).toBe(1);
  });

  it('SRC-1: a folder that two links lead to is walked once', async () => {
    const folder = await temporaryFolder({ '.store/kept/SKILL.md': skillMd('kept') });
    await folder.link('.store', 'a');
    await folder.link('.store/kept', 'b');
    await folder.link('.store', 'c');
    // The root, the store, the skill: a walk that goes anywhere twice goes over the limit.
    const provider = fileSystemSkillProvider({ roots: [folder.path], limits: { directories: 3 } });
    const listing = await provider.listSkills();
    expect(listing.skills.map(({ origin }) => origin?.uri)).toEqual([expect.stringMatching(/\/a\/kept\/$/)]);
    expect(listing).toMatchObject({ complete: true, diagnostics: [] });
  });

  it('SRC-1: a linked SKILL.md that stays in the root is read', async () => {
    const folder = await temporaryFolder({ 'shared/one.md': skillMd('one') });
    await folder.link('../shared/one.md', 'one/SKILL.md');
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect(await names(provider)).toEqual(['one']);
    expect((await provider.getSkill('one'))?.body).toBe('Instructions of one.');
  });

  it('SRC-1: cycles end', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b'), '.hidden/c/SKILL.md': skillMd('c') });
    await folder.link('..', 'a/up');
    await folder.link('.', 'a/self');
    await folder.link('../b', 'a/to-b');
    await folder.link('../a', 'b/to-a');
    await folder.link('../.hidden', 'b/to-hidden');
    await folder.link('../../b', '.hidden/c/back');
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect(await names(provider)).toEqual(['a', 'b', 'c']);
    expect((await provider.listSkills()).diagnostics).toEqual([]);
    expect((await provider.getSkill('a'))?.resources).toEqual([]);
  });

  it('SRC-1: a broken link is information', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a') });
    await folder.link('nowhere', 'broken');
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect(await names(provider)).toEqual(['a']);
    expect((await provider.listSkills()).diagnostics).toMatchObject([{ code: 'link-broken', severity: 'info', path: folder.at('broken') }]);
  });

  it('SRC-1: the same real folder in two roots is one skill, of the first root', async () => {
    const folder = await temporaryFolder({ 'skills/team/a/SKILL.md': skillMd('a') });
    await folder.link('skills', 'linked');
    const provider = fileSystemSkillProvider({
      roots: [
        { path: folder.at('linked'), label: 'linked' },
        { path: folder.at('skills'), label: 'real' },
        { path: folder.at('skills/team'), label: 'nested' },
      ],
    });
    expect((await provider.listSkills()).skills.map(({ name, origin }) => [name, origin?.label])).toEqual([['a', 'linked']]);
    expect((await provider.listSkills()).diagnostics).toEqual([]);
  });

  it('SRC-1: a link from one root into another says nothing: its skills are listed from there', async () => {
    const folder = await temporaryFolder({ '.agents/skills/a/SKILL.md': skillMd('a') });
    await folder.link('../../.agents/skills/a', '.claude/skills/a');
    const provider = fileSystemSkillProvider({
      roots: [
        { path: folder.at('.claude/skills'), trusted: true },
        { path: folder.at('.agents/skills'), label: 'agents', trusted: false },
      ],
    });
    expect((await provider.listSkills()).skills.map(({ name, origin }) => [name, origin?.trusted])).toEqual([['a', false]]);
    expect((await provider.listSkills()).diagnostics).toEqual([]);
  });
});
