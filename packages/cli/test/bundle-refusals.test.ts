import { readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { collectSkills } from '../src/bundle/collect-skills.ts';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

describe('SRC-9: what a bundle cannot carry', () => {
  async function bundle(files: Readonly<Record<string, string | Uint8Array>>, ...more: string[]) {
    const folder = await temporaryFolder(files);
    const outcome = await runCli(folder.path, ['bundle', 'skills', '--out', 'x.ts', '--json', ...more]);
    return {
      folder,
      ...outcome,
      result: JSON.parse(outcome.stdout) as { errors: { code: string }[]; skills: unknown; diagnostics: unknown[] },
    };
  }

  it.each([
    ['no description', { 'skills/bad/SKILL.md': '---\nname: bad\n---\nBody' }, 'invalid-skill', 'bad', /description/],
    ['broken YAML', { 'skills/bad/SKILL.md': '---\nname: [\n---\nBody' }, 'invalid-skill', '[', /description-missing/],
    [
      'two of one name and version',
      { 'skills/bad/SKILL.md': skillMd('bad', 'version: 1.0.0'), 'skills/worse/SKILL.md': skillMd('bad', 'version: 1.0.0') },
      'duplicate-skill',
      'bad',
      /same name and version.*Rename/,
    ],
    [
      'a large file',
      { 'skills/bad/SKILL.md': skillMd('bad'), 'skills/bad/assets/film.bin': new Uint8Array(2 ** 20 + 1) },
      'limit-exceeded',
      'bad',
      /1048577 bytes, assets\/film\.bin.*--max-file/,
    ],
    [
      'long instructions',
      { 'skills/bad/SKILL.md': skillMd('bad', '', 'é'.repeat(2 ** 19 + 1)) },
      'limit-exceeded',
      'bad',
      /10486\d\d bytes, SKILL\.md.*--max-file/,
    ],
  ])('refuses %s, and writes nothing; --lenient leaves it out and says so', async (_, bad, code, skill, message) => {
    const files = { ...bad, 'skills/good/SKILL.md': skillMd('good') };
    const strict = await bundle(files);
    expect(strict.code).toBe(1);
    expect(strict.result.errors).toEqual([
      expect.objectContaining({ code, ...(skill && { skill }), message: expect.stringMatching(message) }),
    ]);
    expect(strict.stderr).toContain(`error ${code} `);
    expect(await strict.folder.list()).not.toContain('x.ts');

    const lenient = await bundle(files, '--lenient');
    expect(lenient.code).toBe(0);
    expect(lenient.result).toMatchObject({
      ok: true,
      refused: 1,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code, severity: 'warning' })]),
    });
    expect(lenient.result.skills).toContainEqual({ name: 'good', version: null });
    expect(lenient.stderr).toContain(`warning ${code} Left out: `);
  });

  it('refuses a skill that a root before hides', async () => {
    const folder = await temporaryFolder({
      'one/a/SKILL.md': skillMd('same', 'version: 1.0.0'),
      'two/a/SKILL.md': skillMd('same', 'version: 2.0.0'),
    });
    const { code, stderr } = await runCli(folder.path, ['bundle', 'one', 'two', '--out', 'x.ts']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^error duplicate-skill .*is hidden by/m) });
  });

  it('carries several versions of a skill', async () => {
    const { code, result } = await bundle({
      'skills/a1/SKILL.md': skillMd('a', 'version: 1.0.0'),
      'skills/a2/SKILL.md': skillMd('a', 'version: 1.10.0'),
      'skills/a3/SKILL.md': skillMd('a'),
    });
    expect({ code, skills: result.skills }).toEqual({
      code: 0,
      skills: [
        { name: 'a', version: '1.10.0' },
        { name: 'a', version: '1.0.0' },
        { name: 'a', version: null },
      ],
    });
  });

  it('refuses a skill that is reached by a link out of the root', async () => {
    const folder = await temporaryFolder({ 'skills/good/SKILL.md': skillMd('good'), 'secret/SKILL.md': skillMd('secret') });
    await symlink(folder.at('secret'), folder.at('skills/linked'));
    const { code, stderr } = await runCli(folder.path, ['bundle', 'skills', '--out', 'x.ts']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^error permission-denied .*skills\/linked/) });
  });

  it.each([
    ['a file', 'shared/rules.md', 'references/rules.md'],
    ['a folder', 'shared', 'rules'],
  ])('refuses a skill that has a link out of its folder, to %s, since its target would be lost', async (_, target, link) => {
    const files = { 'skills/a/SKILL.md': skillMd('a'), 'skills/a/references/x.md': '', 'skills/shared/rules.md': 'Rules' };
    const folder = await temporaryFolder(files);
    await symlink(folder.at('skills/a/references/x.md'), folder.at('skills/a/inside.md'));
    const argv = ['bundle', 'skills', '--out', 'x.ts'];
    expect((await runCli(folder.path, argv)).code).toBe(0);
    await symlink(folder.at('skills', target), folder.at('skills/a', link));
    const { code, stderr } = await runCli(folder.path, argv);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^error permission-denied Skill "a" has a link/) });
  });

  it('refuses a skill that changed while it was read, and says which one and which file', async () => {
    const source = new SkillRegistry({ skills: [{ name: 'a', description: 'Does a.', body: 'Do it.', resources: { 'x.md': 'X' } }] });
    const provider: SkillProvider = {
      label: source.label,
      listSkills: (...given) => source.listSkills(...given),
      getSkill: async (name, options) => {
        const skill = await source.getSkill(name, options);
        return skill && { ...skill, files: undefined };
      },
      readResource: async () => null,
    };
    const options = { maxFileBytes: 1_000, label: 'bundle' };
    const refusedOf = async (given: SkillProvider) =>
      (await collectSkills(given, options)).refused.map(({ code, skill, path }) => ({ code, skill, path }));
    expect(await refusedOf(provider)).toEqual([{ code: 'source-unavailable', skill: 'a', path: 'x.md' }]);
    expect(await refusedOf({ ...provider, getSkill: async () => null })).toEqual([
      { code: 'source-unavailable', skill: 'a', path: undefined },
    ]);
  });

  it('refuses the whole where it is too large, and names the largest', async () => {
    const { code, result } = await bundle(
      { 'skills/small/SKILL.md': skillMd('small'), 'skills/large/SKILL.md': skillMd('large', '', 'word '.repeat(1000)) },
      '--max-size',
      '500',
      '--lenient',
    );
    expect({ code, errors: result.errors }).toEqual({
      code: 1,
      errors: [
        expect.objectContaining({
          code: 'limit-exceeded',
          message: expect.stringMatching(/500 bytes.*Largest: large \(4\.9 KiB\), small/),
        }),
      ],
    });
  });

  it('takes a file as large as --max-file says, beyond what skill-fs reads by itself', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'skills/a/film.bin': '' });
    await truncate(folder.at('skills/a/film.bin'), 2 ** 26 + 1);
    const argv = ['bundle', 'skills', '--out', 'x.ts', '--max-file', '65MiB', '--max-size', '1'];
    expect((await runCli(folder.path, argv)).stderr).toMatch(/^error limit-exceeded The bundle has .*is the limit of --max-size/);
  });

  it('fails for a root that is missing, lenient or not, and for roots without a skill', async () => {
    const missing = await bundle({ 'other/a/SKILL.md': skillMd('a') }, '--lenient');
    expect(missing).toMatchObject({
      code: 2,
      result: { errors: [{ code: 'invalid-options', message: expect.stringContaining('does not exist') }] },
    });
    const empty = await bundle({ 'skills/notes.md': '' });
    expect(empty).toMatchObject({ code: 1, result: { errors: [{ code: 'skill-not-found' }] } });
  });

  it('refuses to write into a skill that it bundles', async () => {
    const { code, result } = await bundle({ 'skills/SKILL.md': skillMd('skills') }, '--out', 'skills/src/x.ts');
    expect({ code, errors: result.errors }).toEqual({ code: 2, errors: [expect.objectContaining({ code: 'invalid-options' })] });
  });

  it('refuses to write into a skill that it bundles, also where a link leads there', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a') });
    await symlink(folder.at('skills'), folder.at('linked'));
    for (const [root = '', out = ''] of [
      ['linked', 'skills/a/src/x.ts'],
      ['skills', 'linked/a/x.ts'],
    ]) {
      const { code, stderr } = await runCli(folder.path, ['bundle', root, '--out', out]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('lies in the folder of skill "a"') });
    }
  });

  it('overwrites nothing that it did not write', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'src/index.ts': 'export const mine = 1;', 'src/new.ts': '' });
    const { code, stderr } = await runCli(folder.path, ['bundle', 'skills', '--out', 'src/index.ts']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^error invalid-options .*src\/index\.ts is there already/),
    });
    expect(await readFile(folder.at('src/index.ts'), 'utf8')).toBe('export const mine = 1;');
    expect((await runCli(folder.path, ['bundle', 'skills', '--out', 'src/new.ts'])).code).toBe(0);
    // Only the start of a file is read at first.
    await writeFile(folder.at('src/index.ts'), `${'\n'.repeat(5_000)}export const mine = 1;`);
    expect((await runCli(folder.path, ['bundle', 'skills', '--out', 'src/index.ts'])).code).toBe(2);
    expect(await readFile(folder.at('src/index.ts'), 'utf8')).toContain('mine');
  });

  it('tells what a skill brings that works in its folder only', async () => {
    const fields = [
      'local_tools:',
      '  weather: { import_path: "./tools.js#getWeather" }',
      '  other: { import_path: "@acme/tools#other" }',
      'mcps:',
      '  files: { command: mcp-files }',
      '  web: { url: "https://mcp.example.com" }',
    ].join('\n');
    const { code, result } = await bundle({
      'skills/a/SKILL.md': skillMd('a', fields),
      'skills/a/tools.js': 'export const getWeather = 1;',
    });
    expect(code).toBe(0);
    expect(result.diagnostics).toEqual([
      expect.objectContaining({
        code: 'local-tool',
        severity: 'warning',
        skill: 'a',
        fix: expect.stringContaining('"./tools.js#getWeather": …'),
      }),
      expect.objectContaining({ code: 'card-mcp', severity: 'info', skill: 'a', message: expect.stringContaining('"files"') }),
    ]);
  });
});
