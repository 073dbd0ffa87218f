import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fileSystemSkillProvider, type FileSystemSkillProviderOptions } from '../src/index.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

async function namesIn(options: FileSystemSkillProviderOptions): Promise<string[]> {
  return (await fileSystemSkillProvider(options).listSkills()).skills.map(({ name }) => name);
}

async function diagnosticsIn(options: FileSystemSkillProviderOptions) {
  return (await fileSystemSkillProvider(options).listSkills()).diagnostics;
}

describe('which files are skills', () => {
  it('SRC-1: finds skills at any level, in order of their names, and ignores other Markdown', async () => {
    const folder = await temporaryFolder({
      'zebra/SKILL.md': skillMd('zebra'),
      'team/a/ant/SKILL.md': skillMd('ant'),
      'team/README.md': '# Not a skill',
      'README.md': '# Not a skill',
      'bear/SKILL.md': skillMd('bear'),
    });
    expect(await namesIn({ roots: [folder.path] })).toEqual(['ant', 'bear', 'zebra']);
  });

  it('REF-12, REF-14: takes a skill.md in small letters, and warns', async () => {
    const folder = await temporaryFolder({ 'small/skill.md': skillMd('small'), 'mixed/Skill.MD': skillMd('mixed') });
    expect(await namesIn({ roots: [folder.path] })).toEqual(['mixed', 'small']);
    const diagnostics = await diagnosticsIn({ roots: [folder.path] });
    expect(diagnostics.filter(({ code }) => code === 'skill-file-name').map(({ skill, severity }) => [skill, severity])).toEqual([
      ['mixed', 'warning'],
      ['small', 'warning'],
    ]);
    const skill = await fileSystemSkillProvider({ roots: [folder.path] }).getSkill('small');
    expect(skill).toMatchObject({ body: 'Instructions of small.', resources: [] });
  });

  it('REF-11: prefers SKILL.md where another spelling lies beside it', async () => {
    const folder = await temporaryFolder({
      'both/SKILL.MD': skillMd('capitals'),
      'both/SKILL.md': skillMd('both'),
      'both/skill.md': skillMd('small'),
    });
    expect(await namesIn({ roots: [folder.path] })).toEqual(['both']);
    const ignored = (await diagnosticsIn({ roots: [folder.path] })).filter(({ code }) => code === 'skill-file-ignored');
    expect(ignored.map(({ path }) => path)).toEqual([folder.at('both/SKILL.MD'), folder.at('both/skill.md')]);
    // Neither spelling is served as a resource.
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect((await provider.getSkill('both'))?.resources).toEqual([]);
    expect(await provider.readResource('both', 'skill.md')).toBeNull();
  });

  it('REF-8, REF-13, REF-23: a folder without SKILL.md is no skill, and no error', async () => {
    const folder = await temporaryFolder({ 'empty/notes.md': 'Notes', 'real/SKILL.md': skillMd('real') });
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['real']);
    expect(await provider.getSkill('empty')).toBeNull();
    expect((await provider.listSkills()).diagnostics).toEqual([]);
  });

  it('SRC-1: skips hidden folders and node_modules, though the root itself may be hidden', async () => {
    const folder = await temporaryFolder({
      '.agents/skills/shown/SKILL.md': skillMd('shown'),
      '.agents/skills/.git/trap/SKILL.md': skillMd('in-git'),
      '.agents/skills/.cache/SKILL.md': skillMd('in-cache'),
      '.agents/skills/node_modules/dependency/SKILL.md': skillMd('in-modules'),
      '.agents/skills/deep/node_modules/dependency/SKILL.md': skillMd('in-deep-modules'),
    });
    expect(await namesIn({ roots: [folder.at('.agents/skills')] })).toEqual(['shown']);
    expect(await namesIn({ roots: [folder.path] })).toEqual([]);
  });

  it('SRC-1: a root can itself be a skill', async () => {
    const folder = await temporaryFolder({ 'solo/SKILL.md': skillMd('solo'), 'solo/references/a.md': 'A' });
    const provider = fileSystemSkillProvider({ roots: [folder.at('solo')] });
    expect((await provider.getSkill('solo'))?.resources.map(({ path }) => path)).toEqual(['references/a.md']);
    expect((await provider.listSkills()).diagnostics).toEqual([]);
  });

  it('SRC-1: names with signs that mean something to globs are names', async () => {
    const folder = await temporaryFolder({ 'a [b] {c,d} (e) !f/x*y/SKILL.md': skillMd('odd'), 'a [b] {c,d} (e) !f/x*y/r [1].md': 'R' });
    const provider = fileSystemSkillProvider({ roots: [folder.at('a [b] {c,d} (e) !f')] });
    expect((await provider.getSkill('odd'))?.resources.map(({ path }) => path)).toEqual(['r [1].md']);
    expect(new TextDecoder().decode((await provider.readResource('odd', 'r [1].md'))?.bytes)).toBe('R');
  });
});

describe('skills in skills', () => {
  const nested = {
    'parent/SKILL.md': skillMd('parent'),
    'parent/references/a.md': 'A',
    'parent/child/SKILL.md': skillMd('child'),
    'parent/child/references/secret.md': 'Of the child',
    'parent/phases/one/SKILL.md': '# Phase one\n\nNo frontmatter here.',
    'parent/broken/SKILL.md': '---\nname: broken\n---\n',
    'parent/broken/notes.md': 'Of the broken one',
  };

  it('SRC-1: a nested SKILL.md with a frontmatter is a skill of its own', async () => {
    const folder = await temporaryFolder(nested);
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['child', 'parent']);
    expect((await provider.getSkill('child'))?.resources.map(({ path }) => path)).toEqual(['references/secret.md']);
  });

  it('SRC-1: one without is a file of the skill around it, which is information and no error', async () => {
    const folder = await temporaryFolder(nested);
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    const { diagnostics } = await provider.listSkills();
    expect(diagnostics.filter(({ code }) => code === 'phase-file')).toMatchObject([
      { severity: 'info', path: folder.at('parent/phases/one/SKILL.md') },
    ]);
    expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ skill }) => skill)).toEqual(['broken']);
    expect(new TextDecoder().decode((await provider.readResource('parent', 'phases/one/SKILL.md'))?.bytes)).toContain('Phase one');
  });

  it('SRC-1: the files of a skill inside another one, its SKILL.md among them, are files of both, also where it is broken', async () => {
    const folder = await temporaryFolder(nested);
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    const paths = (await provider.getSkill('parent'))?.resources.map(({ path }) => path);
    expect(paths).toEqual([
      'broken/SKILL.md',
      'broken/notes.md',
      'child/SKILL.md',
      'child/references/secret.md',
      'phases/one/SKILL.md',
      'references/a.md',
    ]);
    const text = async (path: string) => new TextDecoder().decode((await provider.readResource('parent', path))?.bytes);
    expect(await text('child/SKILL.md')).toBe(nested['parent/child/SKILL.md']);
    expect(await text('broken/notes.md')).toBe(nested['parent/broken/notes.md']);
    expect(await provider.readResource('child', '../references/a.md')).toBeNull();
    const before = (await provider.getSkill('parent'))?.content;
    await folder.write({ 'parent/child/references/secret.md': 'changed' });
    expect((await provider.getSkill('parent'))?.content).not.toBe(before);
  });

  const maker = {
    'maker/SKILL.md': skillMd('maker'),
    'maker/assets/template/SKILL.md': skillMd('my-skill'),
    'maker/references/deep/example/SKILL.md': skillMd('example'),
    'maker/scripts/SKILL.md': '---\nname: broken\n---\n',
    'maker/examples/real/SKILL.md': skillMd('real'),
    'assets/tool/SKILL.md': skillMd('tool'),
  };

  it.each([false, true])(
    'SRC-1: what lies in scripts, references and assets of a skill belongs to it, also a SKILL.md (watched: %j)',
    async (isWatched) => {
      const folder = await temporaryFolder({ ...maker, 'elsewhere/odd/SKILL.md': skillMd('odd') });
      await folder.link('../elsewhere', 'root/references');
      await folder.write({ 'root/SKILL.md': skillMd('root') });
      const provider = fileSystemSkillProvider({ roots: [folder.path], limits: { depth: 3 } });
      onTestFinished(() => provider[Symbol.asyncDispose]());
      if (isWatched) provider.watch(() => undefined);
      const { skills, diagnostics, complete } = await provider.listSkills();
      expect(skills.map(({ name }) => name)).toEqual(['maker', 'odd', 'real', 'root', 'tool']);
      expect({ diagnostics, complete }).toEqual({ diagnostics: [], complete: true });
      const skill = await provider.getSkill('maker');
      const among = ['assets/template/SKILL.md', 'references/deep/example/SKILL.md', 'scripts/SKILL.md'];
      expect(skill?.resources.map(({ path }) => path)).toEqual(['assets/template/SKILL.md', 'examples/real/SKILL.md', ...among.slice(1)]);
      expect(skill?.diagnostics.map(({ code, severity, path }) => [code, severity, path])).toEqual(
        among.map((path) => ['skill-among-resources', 'info', folder.at('maker', path)]),
      );
      expect(new TextDecoder().decode((await provider.readResource('maker', among[0] ?? ''))?.bytes)).toBe(skillMd('my-skill'));
    },
  );
});

describe('bounds', () => {
  it('SRC-1: looks so many folders deep and no deeper', async () => {
    const folder = await temporaryFolder({
      'SKILL.md': skillMd('zero'),
      'a/b/SKILL.md': skillMd('two'),
      'a/b/c/SKILL.md': skillMd('three'),
    });
    expect(await namesIn({ roots: [folder.path], limits: { depth: 2 } })).toEqual(['two', 'zero']);
    expect(await namesIn({ roots: [folder.path], limits: { depth: 0 } })).toEqual(['zero']);
    const deep = await temporaryFolder({ 'a/b/c/d/e/f/SKILL.md': skillMd('six'), 'a/b/c/d/e/f/g/SKILL.md': skillMd('seven') });
    expect(await namesIn({ roots: [deep.path] })).toEqual(['six']);
  });

  it('SRC-1: too many folders are cut off at the same place each time, and said', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `s-${String(index).padStart(2, '0')}/SKILL.md`,
        skillMd(`s-${String(index).padStart(2, '0')}`),
      ]),
    );
    const folder = await temporaryFolder(files);
    // One of the eleven is the root.
    const options = { roots: [folder.path], limits: { directories: 11 } };
    const expected = Array.from({ length: 10 }, (_, index) => `s-0${index}`);
    for (const _ of [1, 2, 3]) expect(await namesIn(options)).toEqual(expected);
    // Whatever order the disk keeps.
    const { readdir, readdirSync } = fs as unknown as Record<'readdir' | 'readdirSync', (...all: unknown[]) => unknown[]>;
    const spies = [
      vi.spyOn(fs, 'readdirSync').mockImplementation(((...all: unknown[]) => readdirSync(...all).reverse()) as never),
      vi
        .spyOn(fs, 'readdir')
        .mockImplementation(((path: string, how: unknown, done: (error: unknown, entries?: unknown[]) => void) =>
          readdir(path, how, (error: unknown, entries?: unknown[]) => done(error, entries?.reverse()))) as never),
    ];
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
    expect(await namesIn(options)).toEqual(expected);
    expect(await diagnosticsIn(options)).toMatchObject([
      { code: 'discovery-truncated', severity: 'warning', fix: expect.stringContaining('limits.directories') },
    ]);
    expect((await fileSystemSkillProvider(options).listSkills()).complete).toBe(false);
  });

  it('SRC-1: too many skills likewise', async () => {
    const folder = await temporaryFolder({ 'c/SKILL.md': skillMd('c'), 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b') });
    expect(await namesIn({ roots: [folder.path], limits: { skills: 2 } })).toEqual(['a', 'b']);
    expect(await diagnosticsIn({ roots: [folder.path], limits: { skills: 2 } })).toMatchObject([
      { code: 'discovery-truncated', fix: expect.stringContaining('limits.skills') },
    ]);
  });

  it('SRC-1: which folders are cut off is a matter of their names, also where folders are slow to read', async () => {
    const names = ['a', 'b', 'c'].flatMap((outer) => ['x', 'y', 'z'].map((inner) => `${outer}/${inner}`));
    const folder = await temporaryFolder(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillMd(name.replace('/', '-'))])));
    const readdir = fs.readdir as unknown as (...all: unknown[]) => void;
    // The first folder answers last.
    const spy = vi.spyOn(fs, 'readdir').mockImplementation(((path: string, ...rest: unknown[]) => {
      if (path === folder.at('a')) setTimeout(() => readdir(path, ...rest), 20);
      else readdir(path, ...rest);
    }) as never);
    onTestFinished(() => spy.mockRestore());
    // The root, a, b, c, and the first that lies deeper.
    expect(await namesIn({ roots: [folder.path], limits: { directories: 5 } })).toEqual(['a-x']);
  });

  it('CON-1: a listing is complete where limits cut nothing and every root that must be there is', async () => {
    const folder = await temporaryFolder({
      'skills/a/SKILL.md': skillMd('a'),
      'skills/b/SKILL.md': skillMd('b'),
      'skills/bad/SKILL.md': 'x',
      file: 'x',
    });
    const completeOf = async (options: FileSystemSkillProviderOptions) => (await fileSystemSkillProvider(options).listSkills()).complete;
    const skills = folder.at('skills');
    // A bad skill is left out, which is no fault of the source.
    expect(await completeOf({ roots: [skills] })).toBe(true);
    expect(await completeOf({ roots: [skills, { path: folder.at('none'), optional: true }] })).toBe(true);
    expect(await completeOf({ roots: [skills, folder.at('none')] })).toBe(false);
    expect(await completeOf({ roots: [folder.at('none')] })).toBe(false);
    expect(await completeOf({ roots: [skills, folder.at('file')] })).toBe(false);
    expect(await completeOf({ roots: [skills], limits: { skills: 2 } })).toBe(false);
    expect(await completeOf({ roots: [skills], limits: { skills: 3 } })).toBe(true);
    expect(await completeOf({ roots: [skills], limits: { directories: 3 } })).toBe(false);
  });

  it('SRC-1: a frontmatter longer than the first read is read whole, up to its limit', async () => {
    const long = skillMd(
      'long',
      `metadata:\n${Array.from({ length: 400 }, (_, index) => `  key-${index}: value number ${index}`).join('\n')}`,
    );
    const folder = await temporaryFolder({ 'long/SKILL.md': long });
    expect(long.length).toBeGreaterThan(2 * 4_096);
    const [skill] = (await fileSystemSkillProvider({ roots: [folder.path] }).listSkills()).skills;
    expect(skill?.metadata?.['key-399']).toBe('value number 399');
    const limited = { roots: [folder.path], limits: { frontmatterBytes: 4_096 } };
    expect(await namesIn(limited)).toEqual([]);
    expect(await diagnosticsIn(limited)).toMatchObject([{ severity: 'error', skill: 'long' }]);
  });

  it('SRC-1: a multi-byte letter that the first read cuts in two arrives whole', async () => {
    for (const shift of [0, 1, 2]) {
      const folder = await temporaryFolder({
        'cut/SKILL.md': `---\nname: cut\ndescription: ${'x'.repeat(shift)}${'\u4e16'.repeat(1_500)} end\n---\nBody`,
      });
      const [skill] = (await fileSystemSkillProvider({ roots: [folder.path] }).listSkills()).skills;
      expect(skill?.description).toBe(`${'x'.repeat(shift)}${'\u4e16'.repeat(1_500)} end`);
    }
  });

  it('SRC-1: a SKILL.md beyond its limit is not listed', async () => {
    const folder = await temporaryFolder({ 'huge/SKILL.md': skillMd('huge', '', 'x'.repeat(5_000)), 'small/SKILL.md': skillMd('small') });
    const options = { roots: [folder.path], limits: { skillBytes: 2_000 } };
    expect(await namesIn(options)).toEqual(['small']);
    expect(await diagnosticsIn(options)).toMatchObject([
      { code: 'skill-too-large', severity: 'error', skill: 'huge', fix: expect.any(String) },
    ]);
  });
});

describe('what a skill says', () => {
  it('SRC-1, FMT-3: a name that is not that of the folder is kept, with a warning; strict leaves the skill out', async () => {
    const folder = await temporaryFolder({ 'folder/SKILL.md': skillMd('written') });
    expect(await namesIn({ roots: [folder.path] })).toEqual(['written']);
    expect(await diagnosticsIn({ roots: [folder.path] })).toMatchObject([
      { code: 'name-directory-mismatch', severity: 'warning', path: folder.at('folder/SKILL.md') },
    ]);
    expect(await namesIn({ roots: [folder.path], profile: 'strict' })).toEqual([]);
    expect(await diagnosticsIn({ roots: [folder.path], profile: 'strict' })).toMatchObject([
      { severity: 'error', path: folder.at('folder/SKILL.md') },
    ]);
  });

  it('FMT-3: one bad skill hides no other', async () => {
    const folder = await temporaryFolder({
      'a/SKILL.md': skillMd('a'),
      'bad-yaml/SKILL.md': '---\n: : : [\n---\n',
      'bad-none/SKILL.md': '# Nothing',
      'bad-open/SKILL.md': '---\nname: x\n',
      'bad-bytes/SKILL.md': Uint8Array.of(0, 255, 254, 0, 13),
      'bad-empty/SKILL.md': '',
      'z/SKILL.md': skillMd('z'),
    });
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['a', 'z']);
    const errors = (await provider.listSkills()).diagnostics.filter(({ severity }) => severity === 'error');
    expect([...new Set(errors.map(({ skill }) => skill))].sort()).toEqual(['bad-bytes', 'bad-empty', 'bad-none', 'bad-open', 'bad-yaml']);
    for (const error of errors) expect(error).toMatchObject({ path: expect.stringContaining('SKILL.md'), fix: expect.any(String) });
  });

  it('GOV-6: the origin is what the host says (ATK-105)', async () => {
    const folder = await temporaryFolder({
      'my skills/a b/SKILL.md': skillMd('a', 'origin: mine\ntrusted: true'),
      'other/b/SKILL.md': skillMd('b'),
    });
    const provider = fileSystemSkillProvider({
      label: 'here',
      trusted: false,
      roots: [
        { path: folder.at('my skills'), label: 'mine' },
        { path: folder.at('other'), trusted: true },
      ],
    });
    const skills = (await provider.listSkills()).skills;
    expect(skills.map(({ origin }) => origin)).toEqual([
      { kind: 'fs', label: 'mine', place: 'my skills/a b', uri: `${pathToFileURL(folder.at('my skills/a b')).href}/`, trusted: false },
      { kind: 'fs', label: 'here', place: 'other/b', uri: `${pathToFileURL(folder.at('other/b')).href}/`, trusted: true },
    ]);
    expect((await provider.getSkill('a'))?.origin).toEqual(skills[0]?.origin);
  });
});

describe('two skills of one name', () => {
  it('SRC-1: the first root wins, and a diagnostic names winner and loser', async () => {
    const folder = await temporaryFolder({
      'project/deploy/SKILL.md': skillMd('deploy', 'version: 1.0.0'),
      'user/deploy/SKILL.md': skillMd('deploy', 'version: 2.0.0'),
      'user/other/SKILL.md': skillMd('other'),
    });
    const provider = fileSystemSkillProvider({ roots: [folder.at('project'), folder.at('user')] });
    expect((await provider.listSkills()).skills.map(({ name, version }) => [name, version])).toEqual([
      ['deploy', '1.0.0'],
      ['other', null],
    ]);
    const [shadowed, ...others] = (await provider.listSkills()).diagnostics;
    expect(others).toEqual([]);
    expect(shadowed).toMatchObject({
      code: 'skill-shadowed',
      severity: 'warning',
      skill: 'deploy',
      path: folder.at('user/deploy/SKILL.md'),
    });
    expect(shadowed?.message).toContain(folder.at('project/deploy'));
    expect(shadowed?.message).toContain(folder.at('user/deploy'));
    expect(await provider.getSkill('deploy', { version: '2.0.0' })).toBeNull();
  });

  it('CON-8: in one root, versions stand side by side and equal ones are told', async () => {
    const folder = await temporaryFolder({
      'a/SKILL.md': skillMd('deploy', 'version: 1.9.0', 'Nine'),
      'b/SKILL.md': skillMd('deploy', 'version: 1.10.0', 'Ten'),
      'c/SKILL.md': skillMd('deploy', 'version: 1.10.0', 'Ten again'),
    });
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect((await provider.listSkills()).skills.map(({ version }) => version)).toEqual(['1.10.0', '1.9.0']);
    expect((await provider.getSkill('deploy'))?.body).toBe('Ten');
    expect((await provider.getSkill('deploy', { version: '1.9.0' }))?.body).toBe('Nine');
    expect((await provider.listSkills()).diagnostics.filter(({ code }) => code === 'skill-duplicate')).toMatchObject([
      { path: folder.at('c/SKILL.md') },
    ]);
  });

  it('SRC-1: names that look alike are told (ATK-28)', async () => {
    const folder = await temporaryFolder({
      'a/SKILL.md': skillMd('Deploy'),
      'b/SKILL.md': skillMd('deploy'),
      'c/SKILL.md': skillMd('dep\u04cfoy'),
    });
    expect(await namesIn({ roots: [folder.path] })).toEqual(['Deploy', 'deploy', 'dep\u04cfoy']);
    expect((await diagnosticsIn({ roots: [folder.path] })).filter(({ code }) => code === 'skill-look-alike')).toMatchObject([
      { skill: 'deploy', severity: 'warning' },
      { skill: 'dep\u04cfoy', message: expect.stringContaining('"dep\\u{4cf}oy" looks like "Deploy"') as string },
    ]);
  });
});
