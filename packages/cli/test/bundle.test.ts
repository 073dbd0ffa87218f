import { execFile } from 'node:child_process';
import { readFile, stat, symlink, utimes } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import {
  compareSkillLocks,
  createSkillLock,
  digestOfSkill,
  inCodeSkillProvider,
  type SkillDefinition,
  type SkillLock,
} from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

interface BundleModule {
  readonly skills: readonly SkillDefinition[];
  readonly lock: SkillLock;
}

const awkward: Readonly<Record<string, string | Uint8Array>> = {
  'skills/awkward/SKILL.md': [
    '---',
    'name: awkward',
    `description: "It's \`code\`, \${x}, C:\\\\dir and a \\u202E turn."`,
    'version: 1.10.0',
    'steps:',
    '  - { tool: a, input: { n: 1.5, ok: true, nothing: ~ } }',
    'x-other:',
    '  __proto__: polluted',
    '  constructor: c',
    '  "2": two',
    '  "1": one',
    '---',
    '# `Body` ${x} \\n \\u0041',
    '',
    'end $',
    '{ </script> 👩‍💻 \u2028',
  ].join('\n'),
  'skills/awkward/references/crlf.txt': 'a\r\nb\rc\n',
  'skills/awkward/references/bom.txt': '\uFEFFtext',
  'skills/awkward/references/__proto__': 'a name',
  'skills/awkward/references/empty.md': '',
  'skills/awkward/references/nul.txt': 'a\0b',
  'skills/awkward/assets/latin1.txt': new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
  'skills/awkward/assets/every.bin': Uint8Array.from({ length: 1024 }, (_, index) => (index * 7) % 256),
  'skills/plain/SKILL.md': skillMd('plain'),
};

/** By Node's own loader, which strips types: Vitest would run the file through Vite. */
function load(folder: TemporaryFolder, file: string): BundleModule {
  return createRequire(import.meta.url)(folder.at(file)) as BundleModule;
}

function folderLock(...roots: string[]): Promise<SkillLock> {
  return createSkillLock(fileSystemSkillProvider({ roots, label: 'code' }));
}

describe('SRC-9, AUT-1: repertoire bundle', () => {
  it('writes one module that can be read', async () => {
    const folder = await temporaryFolder({
      'skills/haiku/SKILL.md': skillMd('haiku', 'license: MIT', '# Haiku\n\nFive, `seven`, five.'),
      'skills/haiku/references/moon.md': 'An old silent pond',
      'skills/haiku/assets/dot.png': new Uint8Array([137, 80, 78, 71]),
    });
    expect(await runCli(folder.path, ['bundle', 'skills', '--out', 'src/skills.gen.ts'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Wrote src\/skills\.gen\.ts: 1 skill; 1\.7 KiB, \d+ bytes gzipped\n$/),
      stderr: '',
    });
    await expect(await readFile(folder.at('src/skills.gen.ts'), 'utf8')).toMatchFileSnapshot('golden/skills.gen.txt');
    expect(await folder.list('src')).toEqual(['skills.gen.ts']);
  });

  it.each([
    ['one module', 'out/skills.gen.ts', []],
    ['a module and its chunks', 'out/split.gen.mts', ['--split']],
    ['plain JavaScript', 'out/skills.mjs', []],
    ['plain JavaScript and its chunks', 'out/skills.js', ['--split']],
  ])('serves what the folder serves, to the byte: %s', async (_, out, more) => {
    const folder = await temporaryFolder({ ...awkward, 'package.json': '{"type":"module"}' });
    expect(await runCli(folder.path, ['bundle', 'skills', '--out', out, ...more])).toMatchObject({ code: 0, stderr: '' });
    const { skills, lock } = load(folder, out);
    const provider = inCodeSkillProvider(skills);
    const expected = await folderLock(folder.at('skills'));
    expect(lock).toEqual(expected);
    expect(await createSkillLock(provider)).toEqual(expected);
    expect(compareSkillLocks(lock, expected).same).toBe(true);

    const source = fileSystemSkillProvider({ roots: [folder.at('skills')] });
    expect(await digestOfSkill(provider, 'awkward')).toEqual(await digestOfSkill(source, 'awkward'));
    const [theirs, ours] = await Promise.all([source.getSkill('awkward'), provider.getSkill('awkward')]);
    expect({ ...ours, origin: null }).toEqual({
      ...theirs,
      origin: null,
      resources: theirs?.resources.map((entry) => ({ ...entry, digest: expected.skills[0]?.files[entry.path] })),
    });
    for (const { path: inner } of theirs?.resources ?? []) {
      expect((await provider.readResource('awkward', inner))?.bytes, inner).toEqual((await source.readResource('awkward', inner))?.bytes);
    }
    // A field of that name, and no prototype.
    expect(Object.keys(ours?.fields?.['x-other'] ?? {})).toEqual(['1', '2', '__proto__', 'constructor']);
  });

  it('is the same file whatever order the folders were made in, and wherever it is run', async () => {
    const files = Object.entries(awkward);
    const [one, other] = [await temporaryFolder(Object.fromEntries(files)), await temporaryFolder(Object.fromEntries(files.toReversed()))];
    await runCli(one.path, ['bundle', 'skills', '--out', 'skills.gen.ts']);
    await other.write({ 'elsewhere/.keep': '' });
    await runCli(other.at('elsewhere'), ['bundle', '../skills/plain', '../skills/awkward', '--out', other.at('skills.gen.ts')]);
    const text = await readFile(one.at('skills.gen.ts'), 'utf8');
    expect(await readFile(other.at('skills.gen.ts'), 'utf8')).toBe(text);
    expect(text).not.toContain(one.path);
    expect(text).not.toContain('\r');
  });

  it('runs as the command of the package, under type stripping, and reads nothing before it is asked for', async () => {
    const folder = await temporaryFolder({ 'skills/plain/SKILL.md': skillMd('plain'), 'package.json': '{"type":"module"}' });
    const main = path.join(import.meta.dirname, '../src/main.ts');
    const execute = promisify(execFile);
    const { stdout } = await execute(
      process.execPath,
      ['--conditions=@repertoire/source', main, 'bundle', 'skills', '--out', 'skills.gen.ts', '--json'],
      { cwd: folder.path },
    );
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, changed: true });
    const script = `import { skills } from './skills.gen.ts'; console.log(typeof skills[0].body, skills[0].body());`;
    const run = await execute(process.execPath, ['--input-type=module', '-e', script], { cwd: folder.path });
    expect(run.stdout).toBe('function Instructions of plain.\n');
  });

  it('touches no file that is up to date, and removes chunks that nothing needs', async () => {
    const folder = await temporaryFolder(awkward);
    const argv = ['bundle', 'skills', '--out', 'gen/skills.gen.ts', '--split'];
    await runCli(folder.path, argv);
    await folder.write({ 'gen/skills.gen.chunks/mine.mjs': 'export {};' });
    const before = await folder.list('gen');
    expect(before.length).toBeGreaterThan(8);
    const past = new Date('2020-01-01T00:00:00Z');
    for (const file of before) await utimes(folder.at('gen', file), past, past);

    expect(await runCli(folder.path, argv)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Left as it was: gen/skills.gen.ts'),
    });
    for (const file of before) expect((await stat(folder.at('gen', file))).mtime, file).toEqual(past);

    await folder.remove('skills/awkward');
    expect(await runCli(folder.path, argv)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 skill;') });
    // One for the body that is left; what is no chunk of ours stays.
    expect(await folder.list('gen')).toEqual([
      expect.stringMatching(/^skills\.gen\.chunks\/[0-9a-f]{20}\.mjs$/),
      'skills.gen.chunks/mine.mjs',
      'skills.gen.ts',
    ]);
    await runCli(folder.path, argv.slice(0, -1));
    expect(await folder.list('gen')).toEqual(['skills.gen.chunks/mine.mjs', 'skills.gen.ts']);
  });

  it('--check tells whether the module is what the folders are, and writes nothing', async () => {
    const folder = await temporaryFolder({ 'skills/plain/SKILL.md': skillMd('plain') });
    const argv = ['bundle', 'skills', '--out', 'skills.gen.ts'];
    expect(await runCli(folder.path, [...argv, '--check'])).toMatchObject({ code: 1 });
    expect(await folder.list()).toEqual(['skills/plain/SKILL.md']);

    await runCli(folder.path, argv);
    const text = await readFile(folder.at('skills.gen.ts'), 'utf8');
    expect(await runCli(folder.path, [...argv, '--check'])).toMatchObject({ code: 0, stdout: expect.stringContaining('is up to date') });
    // A checkout on Windows may have changed the line ends.
    await folder.write({ 'skills.gen.ts': text.replaceAll('\n', '\r\n') });
    expect((await runCli(folder.path, [...argv, '--check'])).code).toBe(0);

    await folder.write({ 'skills/plain/SKILL.md': skillMd('plain', '', 'Other instructions.'), 'skills.gen.ts': text });
    expect(await runCli(folder.path, [...argv, '--check', '--json'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error digest-mismatch skills\.gen\.ts is not what the folders are: .*without --check/),
    });
    expect(await readFile(folder.at('skills.gen.ts'), 'utf8')).toBe(text);
  });

  it('carries what is no text in base64', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'skills/a/assets/zeros.bin': new Uint8Array(90_000) });
    const { stdout } = await runCli(folder.path, ['bundle', 'skills', '--out', 'x.ts', '--json']);
    expect((JSON.parse(stdout) as { bytes: number }).bytes).toBeLessThan(125_000);
  });

  it('is given up with the reason of its signal', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a') });
    const running = runCli(folder.path, ['bundle', 'skills', '--out', 'x.ts'], { signal: AbortSignal.abort('enough') });
    await expect(running).rejects.toBe('enough');
    expect(await folder.list()).toEqual(['skills/a/SKILL.md']);
  });

  it('--include and --exclude choose by name', async () => {
    const folder = await temporaryFolder({
      'skills/a/SKILL.md': skillMd('billing-refunds'),
      'skills/b/SKILL.md': skillMd('billing-internal'),
      'skills/c/SKILL.md': skillMd('haiku'),
      'skills/d/SKILL.md': '---\nname: broken\n---\nNo description',
    });
    const argv = ['bundle', 'skills', '--out', 'x.ts', '--include', 'billing-*', '--exclude', '*-internal', '--json'];
    expect(JSON.parse((await runCli(folder.path, argv)).stdout)).toMatchObject({ ok: true, skills: [{ name: 'billing-refunds' }] });
  });

  it('--watch writes again after a change, until it is given up', async () => {
    const folder = await temporaryFolder({ 'skills/plain/SKILL.md': skillMd('plain') });
    const controller = new AbortController();
    const running = runCli(folder.path, ['bundle', 'skills', '--out', 'x.ts', '--watch'], { signal: controller.signal });
    await expect.poll(() => folder.list()).toContain('x.ts');
    // Written until it is seen: watching may begin a moment after the first module is there.
    await expect
      .poll(
        async () => {
          await folder.write({ 'skills/plain/SKILL.md': skillMd('plain', '', 'Other instructions.') });
          return await readFile(folder.at('x.ts'), 'utf8');
        },
        { timeout: 20_000, interval: 500 },
      )
      .toContain('Other instructions.');
    controller.abort('enough');
    await expect(running).rejects.toBe('enough');
  });
});

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
      'one without a version beside one with',
      { 'skills/bad/SKILL.md': skillMd('bad'), 'skills/worse/SKILL.md': skillMd('bad', 'version: 1.0.0') },
      'invalid-skill',
      'bad',
      /no version.*Give each a version/,
    ],
    [
      'a large file',
      { 'skills/bad/SKILL.md': skillMd('bad'), 'skills/bad/assets/film.bin': new Uint8Array(2 ** 20 + 1) },
      'limit-exceeded',
      'bad',
      /1048577 bytes, assets\/film\.bin.*--max-file/,
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
    expect(lenient.result.skills).toContainEqual({ name: 'good' });
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
    });
    expect({ code, skills: result.skills }).toEqual({
      code: 0,
      skills: [
        { name: 'a', version: '1.10.0' },
        { name: 'a', version: '1.0.0' },
      ],
    });
  });

  it('refuses a skill that is reached by a link out of the root', async () => {
    const folder = await temporaryFolder({ 'skills/good/SKILL.md': skillMd('good'), 'secret/SKILL.md': skillMd('secret') });
    await symlink(folder.at('secret'), folder.at('skills/linked'));
    const { code, stderr } = await runCli(folder.path, ['bundle', 'skills', '--out', 'x.ts']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^error permission-denied .*skills\/linked/) });
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

  it('fails for a root that is missing, lenient or not, and for roots without a skill', async () => {
    const missing = await bundle({ 'other/a/SKILL.md': skillMd('a') }, '--lenient');
    expect(missing).toMatchObject({
      code: 1,
      result: { errors: [{ code: 'source-unavailable', message: expect.stringContaining('does not exist') }] },
    });
    const empty = await bundle({ 'skills/notes.md': '' });
    expect(empty).toMatchObject({ code: 1, result: { errors: [{ code: 'skill-not-found' }] } });
  });

  it('refuses to write into a skill that it bundles', async () => {
    const { code, result } = await bundle({ 'skills/SKILL.md': skillMd('skills') }, '--out', 'skills/src/x.ts');
    expect({ code, errors: result.errors }).toEqual({ code: 2, errors: [expect.objectContaining({ code: 'invalid-options' })] });
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
