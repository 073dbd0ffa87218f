import { execFile } from 'node:child_process';
import { readFile, stat, utimes } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { createSkillSearch } from '@repertoire/skill-search';
import { createSkillLock, diffSkillLock } from '@repertoire/skill-trust/lock';
import type { SkillDefinition, SkillLock } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { digestOfSkill, skillDigest } from '@repertoire/skills-core/provider';
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
    '  "two\\nlines, `${x}` and \'": key',
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
      stdout: expect.stringMatching(/^Wrote src\/skills\.gen\.ts: 1 skill; [\d.]+ KiB, [\d.]+ (bytes|KiB) gzipped\n$/),
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
    const provider = fixedSkillProvider(skills);
    const expected = await folderLock(folder.at('skills'));
    expect(lock).toEqual(expected);
    expect(await createSkillLock(provider)).toEqual(expected);
    expect((await diffSkillLock(lock, expected)).same).toBe(true);

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
    expect(Object.keys(ours?.fields?.['x-other'] ?? {})).toEqual(['1', '2', '__proto__', 'constructor', "two\nlines, `${x}` and '"]);
  });

  it.each([
    ['LF', '---\nname: odd\ndescription: Is odd.   # kept\n---\n\nFirst `line` ${x}.\n\nSecond line, which is the longer one.\n\n\n', 1],
    ['CRLF and a mark', '\uFEFF---\r\nname: odd\r\ndescription: Is odd.\r\n---\r\n\r\nSecond line, which is the longer one.\r\n', 1],
    ['CRLF in the body', '---\r\nname: odd\r\ndescription: Is odd.\r\n---\r\nOne.\r\nSecond line, which is the longer one.\r\n', 2],
    ['no body', '---\nname: odd\ndescription: Is odd.\n---\n', 0],
    [
      'bytes that are no text',
      Uint8Array.from(Buffer.from('---\nname: odd\ndescription: Is odd.\n---\nSecond line, which is the longer one. \0', 'latin1')),
      1,
    ],
  ])('CON-2: carries SKILL.md byte for byte, and the body once where it is in it: %s', async (_what, skillMdBytes, times) => {
    for (const more of [[], ['--split']]) {
      const folder = await temporaryFolder({
        'skills/odd/SKILL.md': skillMdBytes,
        'skills/odd/a.txt': 'A\r\n',
        'package.json': '{"type":"module"}',
      });
      expect((await runCli(folder.path, ['bundle', 'skills', '--out', 'out.ts', ...more])).code).toBe(0);
      const { skills, lock } = load(folder, 'out.ts');
      const provider = fixedSkillProvider(skills);
      const bytes = typeof skillMdBytes === 'string' ? new TextEncoder().encode(skillMdBytes) : skillMdBytes;
      expect((await provider.readResource('odd', 'SKILL.md'))?.bytes).toEqual(bytes);
      expect((await provider.listSkills()).skills[0]).toMatchObject({ version: null, origin: { kind: 'bundle' } });
      const digest = await skillDigest({ 'SKILL.md': bytes, 'a.txt': 'A\r\n' });
      expect([lock.skills[0]?.digest, (await digestOfSkill(provider, 'odd'))?.digest]).toEqual([digest, digest]);
      const written = (
        await Promise.all((await folder.list()).filter((file) => /out\b/.test(file)).map((file) => readFile(folder.at(file), 'utf8')))
      ).join('');
      expect(written.split('the longer one').length - 1).toBe(times);
    }
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

  it('leaves the chunks of a bundle beside it, whose name differs in its ending alone', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'others/b/SKILL.md': skillMd('b') });
    await runCli(folder.path, ['bundle', 'skills', '--out', 'gen/x.ts', '--split']);
    await runCli(folder.path, ['bundle', 'others', '--out', 'gen/x.mjs', '--split']);
    await runCli(folder.path, ['bundle', 'others', '--out', 'gen/x.mjs']);
    expect((await runCli(folder.path, ['bundle', 'skills', '--out', 'gen/x.ts', '--split', '--check'])).code).toBe(0);
    expect((await runCli(folder.path, ['bundle', 'others', '--out', 'gen/x.mjs', '--check'])).code).toBe(0);
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

  it('is whole after several runs at once', async () => {
    const folder = await temporaryFolder(awkward);
    const argv = ['bundle', 'skills', '--out', 'gen/skills.gen.ts', '--split'];
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => runCli(folder.path, argv)));
    expect(outcomes.filter(({ code }) => code !== 0)).toEqual([]);
    expect((await folder.list('gen')).filter((file) => file.endsWith('.tmp'))).toEqual([]);
    expect((await runCli(folder.path, [...argv, '--check'])).code).toBe(0);
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
        { timeout: 240_000, interval: 500 },
      )
      .toContain('Other instructions.');
    controller.abort('enough');
    await expect(running).rejects.toBe('enough');
  });
});

describe('DIS-14: repertoire bundle --search-index', () => {
  it.each([
    ['skills.gen.mjs', false],
    ['skills.gen.mjs', true],
    ['skills.gen.ts', false],
  ])('exports what a search needs in %s, split: %s', async (out, split) => {
    const folder = await temporaryFolder({ 'skills/tea/SKILL.md': skillMd('tea'), 'skills/coffee/SKILL.md': skillMd('coffee') });
    const command = ['bundle', 'skills', '--out', out, '--search-index', ...(split ? ['--split'] : [])];
    expect(await runCli(folder.path, command)).toMatchObject({ code: 0 });
    expect(await runCli(folder.path, [...command, '--check'])).toMatchObject({ code: 0 });
    const { skills, searchIndex } = load(folder, out) as BundleModule & { readonly searchIndex: () => Promise<Uint8Array> };
    const asked: string[] = [];
    const provider = fixedSkillProvider(skills);
    const watched = { ...provider, getSkill: async (name: string) => (asked.push(name), await provider.getSkill(name)) };
    const search = createSkillSearch(watched, { index: searchIndex });
    expect((await search.search('Instructions of tea')).candidates[0]).toMatchObject({ name: 'tea' });
    expect(search.status()).toMatchObject({ skills: 2, due: 0, diagnostics: [] });
    expect(asked).toEqual([]);
  });
});
