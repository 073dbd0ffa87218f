import { mkdir, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fileSystemSkillProvider, standardSkillRoots } from '../src/index.ts';
import { resolveSkillRoots } from '../src/skill-roots.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const defaults = { label: 'fs', trusted: true };

describe('roots', () => {
  it('SRC-1: may be relative, in the home folder, or file URLs', () => {
    const resolved = resolveSkillRoots(
      ['skills', '~/skills', '~', new URL('file:///srv/my%20skills/'), 'file:///srv/other', { path: '/a' }],
      defaults,
    );
    expect(resolved.map((root) => root.path)).toEqual([
      path.resolve('skills'),
      path.join(homedir(), 'skills'),
      homedir(),
      '/srv/my skills',
      '/srv/other',
      '/a',
    ]);
    expect(resolved[0]).toEqual({ path: path.resolve('skills'), place: 'skills', label: 'fs', trusted: true, optional: false });
    // No home folder: these are names that start with a tilde.
    expect(resolveSkillRoots(['~other', './~'], defaults).map((root) => root.path)).toEqual([path.resolve('~other'), path.resolve('~')]);
  });

  it('SRC-1: a root that is a SKILL.md means its folder', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a'), 'a/references/x.md': 'X', 'b/SKILL.md': skillMd('b') });
    const provider = fileSystemSkillProvider({ roots: [folder.at('a/SKILL.md'), folder.at('a')] });
    const { skills, diagnostics } = await provider.listSkills();
    expect(skills.map(({ name }) => name)).toEqual(['a']);
    expect(diagnostics).toEqual([]);
    expect((await provider.getSkill('a'))?.resources.map((resource) => resource.path)).toEqual(['references/x.md']);
  });

  it('SRC-1: a root that is named twice counts once', () => {
    expect(resolveSkillRoots(['/a', { path: '/a/', label: 'again' }, '/a/b/..'], defaults)).toEqual([
      { path: '/a', place: 'a', label: 'fs', trusted: true, optional: false },
    ]);
  });

  it.each([
    { roots: [''] },
    { roots: ['a\0b'] },
    { roots: [new URL('https://skills.example/')] },
    { roots: [{ path: 7 }] },
    { roots: './skills' },
    { roots: undefined },
    { roots: [null] },
    { roots: [{ path: '/a', optinal: true }] },
  ])('SRC-1: refuses $roots', ({ roots }) => {
    expect(() => fileSystemSkillProvider({ roots: roots as never })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
  });

  it('SRC-1: reports roots of different trust under one label (ATK-418)', async () => {
    const folder = await temporaryFolder({ 'own/a/SKILL.md': skillMd('a'), 'market/b/SKILL.md': skillMd('b') });
    const codesOf = async (label: string | undefined) => {
      const roots = [folder.at('own'), { path: folder.at('market'), trusted: false, label }];
      return (await fileSystemSkillProvider({ roots }).listSkills()).diagnostics.map(({ code }) => code);
    };
    expect(await codesOf(undefined)).toEqual(['roots-share-label']);
    expect(await codesOf('market')).toEqual([]);
  });

  it('SRC-1: says what to write instead of a string', () => {
    expect(() => fileSystemSkillProvider({ roots: './skills' as never })).toThrow('Write ["./skills"].');
  });

  it.each([
    [{ staleAfterMS: 0 }, 'Did you mean "staleAfterMs"?'],
    [{ limits: { skill: 1 } }, 'Did you mean "skills"?'],
    [{ watch: { interval: 1 } }, 'It has: mode, debounceMs, pollMs.'],
    [{ links: 'some' }, 'Give "inside" or "all" or "none".'],
    [{ hardLinks: 'never' }, 'Give "allow" or "refuse".'],
    [{ profile: 'Strict' }, 'Give "lenient" or "strict".'],
    [{ watch: { mode: 'none' } }, 'Give "auto" or "poll".'],
  ])('SRC-1: refuses the option %j', (options, message) => {
    expect(() => fileSystemSkillProvider({ roots: ['.'], ...(options as object) })).toThrow(message);
  });

  it('SRC-1: refuses unknown options of standardSkillRoots', () => {
    expect(() => standardSkillRoots({ Home: '/' } as never)).toThrow('Did you mean "home"?');
  });

  it('SRC-1: refuses numbers that cannot be', () => {
    expect(() => fileSystemSkillProvider({ roots: ['.'], watch: { pollMs: 0 } })).toThrow('"watch.pollMs"');
  });

  it('REF-21: a missing root is a warning and no skills; an optional one says nothing', async () => {
    const folder = await temporaryFolder();
    const provider = fileSystemSkillProvider({ roots: [folder.at('nowhere'), { path: folder.at('maybe'), optional: true }] });
    expect((await provider.listSkills()).skills).toEqual([]);
    expect((await provider.listSkills()).diagnostics).toMatchObject([
      { code: 'root-missing', severity: 'warning', path: folder.at('nowhere'), fix: expect.any(String) },
    ]);
  });

  it('SRC-1: a process that starts while a root is away takes no skill of it for removed, unless the root may be missing', async () => {
    const folder = await temporaryFolder({ 'here/b/SKILL.md': skillMd('b') });
    const away = { code: 'source-unavailable', skill: 'a', path: folder.at('disk') };
    const provider = fileSystemSkillProvider({ roots: [folder.at('disk'), folder.at('here')], staleAfterMs: 0 });
    await expect(provider.getSkill('a')).rejects.toMatchObject(away);
    await expect(provider.readResource('a', 'a.md')).rejects.toMatchObject(away);
    expect((await provider.getSkill('b'))?.name).toBe('b');
    const optional = fileSystemSkillProvider({ roots: [{ path: folder.at('disk'), optional: true }] });
    expect(await optional.getSkill('a')).toBeNull();
    expect(await optional.readResource('a', 'a.md')).toBeNull();
    await folder.write({ 'disk/c/SKILL.md': skillMd('c') });
    expect(await provider.getSkill('a')).toBeNull();
  });

  it('SRC-1: a missing root that appears is read', async () => {
    const folder = await temporaryFolder();
    const provider = fileSystemSkillProvider({ roots: [folder.at('later')], staleAfterMs: 0 });
    expect((await provider.listSkills()).skills).toEqual([]);
    await folder.write({ 'later/a/SKILL.md': skillMd('a') });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['a']);
    expect((await provider.listSkills()).diagnostics).toEqual([]);
    await folder.remove('later');
    expect((await provider.listSkills()).skills).toEqual([]);
  });

  it('SRC-1: a skill of a root that is away is not unknown, since nobody knows; others are', async () => {
    const folder = await temporaryFolder({ 'disk/a/SKILL.md': skillMd('a'), 'disk/a/note.md': 'x', 'here/b/SKILL.md': skillMd('b') });
    const provider = fileSystemSkillProvider({ roots: [folder.at('disk'), folder.at('here')], staleAfterMs: 0 });
    await provider.listSkills();
    await rename(folder.at('disk'), folder.at('away'));
    const failure = { code: 'source-unavailable', skill: 'a', path: folder.at('disk') };
    await expect(provider.getSkill('a')).rejects.toMatchObject(failure);
    await expect(provider.readResource('a', 'note.md')).rejects.toMatchObject(failure);
    expect(await provider.getSkill('c')).toBeNull();
    expect((await provider.getSkill('b'))?.name).toBe('b');
    await rename(folder.at('away'), folder.at('disk'));
    expect((await provider.getSkill('a'))?.name).toBe('a');
    await folder.remove('disk/a');
    expect(await provider.getSkill('a')).toBeNull();
  });

  it('REF-22: a root that is a file is an error, and takes no other root down', async () => {
    const folder = await temporaryFolder({ 'good/a/SKILL.md': skillMd('a'), 'file.md': 'x' });
    // What lies below a file cannot be read by anybody, not even by root.
    const provider = fileSystemSkillProvider({ roots: [folder.at('file.md'), folder.at('file.md/skills'), folder.at('good')] });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['a']);
    expect((await provider.listSkills()).diagnostics.map(({ code, severity, path: at }) => [code, severity, at])).toEqual([
      ['root-unreadable', 'error', folder.at('file.md')],
      ['root-unreadable', 'error', folder.at('file.md/skills')],
    ]);
  });

  it('SRC-1: where no root can be read, the source as a whole is unavailable', async () => {
    const folder = await temporaryFolder({ 'file.md': 'x' });
    await folder.link('loop', 'loop');
    for (const root of ['file.md', 'file.md/skills', 'loop']) {
      const provider = fileSystemSkillProvider({ roots: [folder.at(root), folder.at('missing')] });
      const unavailable = expect.objectContaining({ code: 'source-unavailable', source: 'fs' });
      await expect(provider.listSkills()).rejects.toEqual(unavailable);
      await expect(provider.getSkill('a')).rejects.toEqual(unavailable);
      await expect(provider.readResource('a', 'b')).rejects.toEqual(unavailable);
    }
    // It answers as soon as it can.
    const provider = fileSystemSkillProvider({ roots: [folder.at('file.md')] });
    await expect(provider.listSkills()).rejects.toThrow();
    await folder.remove('file.md');
    await folder.write({ 'file.md/a/SKILL.md': skillMd('a') });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['a']);
  });

  it('SRC-1: a root may be a link', async () => {
    const folder = await temporaryFolder({ 'real/a/SKILL.md': skillMd('a'), 'real/a/x.md': 'X' });
    await folder.link('real', 'linked');
    const provider = fileSystemSkillProvider({ roots: [folder.at('linked')] });
    const [skill] = (await provider.listSkills()).skills;
    expect(skill?.origin?.uri).toBe(`${pathToFileURL(folder.at('linked/a')).href}/`);
    expect(new TextDecoder().decode((await provider.readResource('a', 'x.md'))?.bytes)).toBe('X');
    expect((await provider.listSkills()).diagnostics).toEqual([]);
  });
});

describe('standard roots', () => {
  it('SRC-1: the project from the working directory up to .git, then the person, and untrusted', async () => {
    const folder = await temporaryFolder({ 'repo/.git/HEAD': 'x' });
    const roots = standardSkillRoots({ cwd: folder.at('repo/apps/web'), home: folder.at('home') });
    expect(roots.map((root) => [root.label, root.path])).toEqual([
      ['project', folder.at('repo/apps/web/.agents/skills')],
      ['project', folder.at('repo/apps/web/.claude/skills')],
      ['project', folder.at('repo/apps/.agents/skills')],
      ['project', folder.at('repo/apps/.claude/skills')],
      ['project', folder.at('repo/.agents/skills')],
      ['project', folder.at('repo/.claude/skills')],
      ['user', folder.at('home/.agents/skills')],
      ['user', folder.at('home/.claude/skills')],
    ]);
    expect(roots.every((root) => root.trusted === false && root.optional === true)).toBe(true);
    expect(
      standardSkillRoots({ cwd: folder.at('repo'), home: folder.at('home'), trusted: true }).every(({ trusted }) => trusted === true),
    ).toBe(true);
  });

  it('SRC-1: .git may be a file, as in worktrees and submodules', async () => {
    const folder = await temporaryFolder({ '.git/HEAD': 'x', 'sub/.git': 'gitdir: ../.git/modules/sub' });
    await mkdir(folder.at('sub/lib'));
    expect(
      standardSkillRoots({ cwd: folder.at('sub/lib'), home: folder.at('home') }).filter(({ label }) => label === 'project'),
    ).toHaveLength(4);
  });

  it('SRC-1: the project wins over the person, and nothing is said of places that do not exist', async () => {
    const folder = await temporaryFolder({
      'repo/.git/HEAD': 'x',
      'repo/.claude/skills/deploy/SKILL.md': skillMd('deploy'),
      'home/.agents/skills/deploy/SKILL.md': skillMd('deploy'),
      'home/.agents/skills/mine/SKILL.md': skillMd('mine'),
    });
    const provider = fileSystemSkillProvider({ roots: standardSkillRoots({ cwd: folder.at('repo'), home: folder.at('home') }) });
    expect((await provider.listSkills()).skills.map(({ name, origin }) => [name, origin?.label, origin?.trusted])).toEqual([
      ['deploy', 'project', false],
      ['mine', 'user', false],
    ]);
    expect((await provider.listSkills()).diagnostics.map(({ code }) => code)).toEqual(['skill-shadowed']);
  });

  it('SRC-1: a home folder that is the project is named once', async () => {
    const folder = await temporaryFolder({ '.git/HEAD': 'x' });
    expect(standardSkillRoots({ cwd: folder.path, home: folder.path })).toHaveLength(2);
  });
});
