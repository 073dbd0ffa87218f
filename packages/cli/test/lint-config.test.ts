import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openLintCache } from '../src/lint/lint-cache.ts';
import type { LintedSkill } from '../src/lint/lint-one.ts';
import type { LintSkill } from '../src/lint/lint-rule.ts';
import { loadedBy } from './loaded-by.ts';
import { runCli, type CliOutcome } from './run-cli.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const files = {
  'skills/a/SKILL.md': skillMd('a', '', '[x](gone.md)'),
  'skills/a/data/lost.json': '{}',
  'skills/b/SKILL.md': skillMd('b', 'allowed-tools: Serch').replace('What b does', 'Prints letters of banks'),
};

function codes({ stdout }: CliOutcome): string[] {
  const { findings } = JSON.parse(stdout) as { findings: { code: string; severity: string; skill: string }[] };
  return findings.map(({ code, severity, skill }) => `${skill} ${severity} ${code}`);
}

describe('AUT-6: configuration of lint', () => {
  it('AUT-6: repertoire.config.json gives sources, tools, rules, ignores, files for people and budgets', async () => {
    const folder = await temporaryFolder(files);
    const config = (value: unknown): Promise<void> => writeFile(folder.at('repertoire.config.json'), JSON.stringify(value));
    const lint = async (...argv: string[]): Promise<string[]> => codes(await runCli(folder.path, ['lint', '--json', ...argv]));
    await config({
      $schema: './schema.json',
      sources: ['skills'],
      tools: ['Search'],
      rules: { 'dead-link': 'warning', 'unmentioned-file': 'error' },
    });
    expect(await lint()).toEqual(['a warning dead-link', 'a error unmentioned-file', 'b error wrong-tool']);
    // The command line counts more.
    expect(await lint('--only', 'dead-link')).toEqual(['a warning dead-link']);
    expect(await lint('skills/b', '--tools', 'Serch')).toEqual([]);
    await config({ sources: ['skills'], rules: { 'dead-link': 'off', 'unmentioned-file': 'error' }, forPeople: ['data/**'] });
    expect(await lint()).toEqual([]);
    await config({ sources: ['skills'], ignores: [{ files: ['skills/a/**'], rules: ['dead-link'] }], budgets: { bodyLines: 0 } });
    expect(await lint()).toEqual(['a warning body-length', 'b warning body-length']);
    await config({ sources: ['skills'], ignores: [{ files: ['skills/**'] }], budgets: { bodyLines: 0 } });
    expect(await lint()).toEqual([]);
    expect(await runCli(folder.path, ['lint'])).toMatchObject({ code: 0, stdout: '2 skills checked: nothing was found, 3 ignored.\n' });
    // Other commands take the sources, too.
    expect(JSON.parse((await runCli(folder.path, ['list', '--json'])).stdout)).toMatchObject({ skills: [{ name: 'a' }, { name: 'b' }] });
    expect(await runCli(folder.path, ['check'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Valid skill: skills') });
  });

  it('AUT-6: a module is read only where it is named', async () => {
    const folder = await temporaryFolder({ ...files, 'repertoire.config.mjs': "export default { rules: { 'dead-link': 'off' } };" });
    const unread = await runCli(folder.path, ['lint', 'skills', '--json']);
    expect(codes(unread)).toEqual(['a error dead-link']);
    expect(JSON.parse(unread.stdout)).toMatchObject({
      diagnostics: [{ code: 'config-not-run', fix: expect.stringContaining('--config repertoire.config.mjs') }],
    });
    expect(codes(await runCli(folder.path, ['lint', 'skills', '--json', '--config', 'repertoire.config.mjs']))).toEqual([]);
  });

  it.each([
    ['{', 'cannot be read'],
    ['[]', 'holds no object'],
    ['{"rule":{}}', 'Did you mean rules?'],
    ['{"rules":{"dead-lnk":"off"}}', 'Did you mean dead-link?'],
    ['{"rules":{"dead-link":"none"}}', 'must be "off", "warning" or "error"'],
    ['{"ignores":[{"rules":["secret"]}]}', 'must have files'],
    ['{"ignores":[{"files":["x"],"rules":["secrets"]}]}', 'Did you mean secret?'],
    ['{"budgets":{"bodyLines":-1}}', 'must be a whole number'],
    ['{"sources":"skills"}', 'must be a list of texts'],
  ])('AUT-6: refuses %s, and says what to write', async (text, message) => {
    const folder = await temporaryFolder({ ...files, 'repertoire.config.json': text });
    expect(await runCli(folder.path, ['lint', 'skills'])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('AUT-6: a comment ignores rules in its file, and one with a slip is told', async () => {
    const folder = await temporaryFolder({
      'a/SKILL.md': skillMd('a', '', '<!-- repertoire-ignore dead-link, secret -->\n[x](gone.md) te\u200bst'),
      'a/notes.md': 'te\u200bst\n<!-- repertoire-ignore hidden-charakter -->',
      'a/more.sh': '# repertoire-ignore hidden-character\nte\u200bst',
    });
    const { stdout } = await runCli(folder.path, ['lint', 'a', '--json']);
    const { findings, ignored, diagnostics } = JSON.parse(stdout) as {
      findings: { code: string; path: string }[];
      ignored: number;
      diagnostics: unknown[];
    };
    expect(findings.map(({ code, path: file }) => `${code} ${path.basename(file)}`)).toEqual([
      'hidden-character SKILL.md',
      'hidden-character notes.md',
    ]);
    expect(ignored).toBe(2);
    expect(diagnostics).toMatchObject([{ code: 'ignore-unknown', line: 2, path: path.join('a', 'notes.md') }]);
  });

  it('AUT-6: what a source serves cannot ignore rules', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a', '', '<!-- repertoire-ignore dead-link -->\n[x](gone.md)') });
    expect(await runCli(folder.path, ['publish', 'a', '--to', './out'])).toMatchObject({ code: 0 });
    expect(codes(await runCli(folder.path, ['lint', 'store:./out', '--json']))).toEqual(['a error dead-link']);
  });

  it('AUT-6: --max-warnings lets warnings pass, and no error', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a', '', '[x](#none)\n\n[y](#neither)') });
    expect(await runCli(folder.path, ['lint', 'a'])).toMatchObject({ code: 1 });
    expect(await runCli(folder.path, ['lint', 'a', '--max-warnings', '1'])).toMatchObject({ code: 1 });
    const passed = await runCli(folder.path, ['lint', 'a', '--max-warnings', '9']);
    expect(passed).toMatchObject({ code: 0, stdout: expect.stringContaining('0 errors, 2 warnings, of which 2 may stay.') });
    await folder.write({ 'repertoire.config.json': '{"maxWarnings":2}' });
    expect(await runCli(folder.path, ['lint', 'a'])).toMatchObject({ code: 0 });
    await folder.write({ 'a/SKILL.md': skillMd('a', '', '[x](gone.md)') });
    expect(await runCli(folder.path, ['lint', 'a', '--max-warnings', '9'])).toMatchObject({ code: 1 });
  });

  it('AUT-6: findings go to stdout, grouped by skill, with colors on a terminal and no escapes of skills', async () => {
    const folder = await temporaryFolder({
      'a/SKILL.md': skillMd('a', '', '[x](gone.md)\n[y](b\u009b31m.md)'),
      'b/SKILL.md': skillMd('b', '', '[x](gone.md)'),
    });
    const plain = await runCli(folder.path, ['lint', '.', '--ignore', 'hidden-character,similar-descriptions']);
    expect(plain.stderr).toBe('');
    expect(plain.stdout.split('\n')).toEqual([
      `a  ${path.join('a', 'SKILL.md')}`,
      '  SKILL.md:6  error  The link to "gone.md" leads nowhere. Correct the path, or add the file.  [dead-link]',
      '  SKILL.md:7  error  The link to "b%C2%9B31m.md" leads nowhere. Correct the path, or add the file.  [dead-link]',
      '',
      `b  ${path.join('b', 'SKILL.md')}`,
      '  SKILL.md:6  error  The link to "gone.md" leads nowhere. Correct the path, or add the file.  [dead-link]',
      '',
      '2 skills checked: 3 errors, 0 warnings.',
      '',
    ]);
    const colored = await runCli(folder.path, ['lint', '.'], { isTTY: true });
    expect(colored.stdout).toContain('\u001b[31merror\u001b[39m');
    expect(colored.stdout).not.toContain('\u009b');
    expect((await runCli(folder.path, ['lint', '.'], { isTTY: true, env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
  });
});

describe('AUT-6: the cache of lint', () => {
  it('AUT-6: what did not change is not looked at again, and what changed is', async () => {
    const folder = await temporaryFolder(files);
    const env = { XDG_CACHE_HOME: folder.at('cache') };
    const lint = async (...argv: string[]): Promise<string[]> =>
      codes(await runCli(folder.path, ['lint', 'skills', '--json', ...argv], { env }));
    const settle = (): Promise<unknown> =>
      Promise.all(['skills/a/SKILL.md', 'skills/b/SKILL.md'].map((file) => utimes(folder.at(file), new Date(1e12), new Date(1e12))));
    await settle();
    expect(await lint()).toEqual(['a error dead-link']);
    const [name = ''] = await readdir(folder.at('cache', 'repertoire'));
    const cache = folder.at('cache', 'repertoire', name);
    // What is kept is what is told: the marker is found again only if the skill was not looked at.
    const kept = await readFile(cache, 'utf8');
    expect(kept).toContain('"gone.md"');
    await writeFile(cache, kept.replaceAll('gone.md', 'kept.md'));
    const again = await runCli(folder.path, ['lint', 'skills', '--json'], { env });
    expect(again.stdout).toContain('kept.md');
    expect((await runCli(folder.path, ['lint', 'skills', '--json', '--no-cache'], { env })).stdout).toContain('gone.md');
    await folder.write({ 'skills/a/SKILL.md': skillMd('a', '', '[x](other.md)') });
    const changed = await runCli(folder.path, ['lint', 'skills', '--json'], { env });
    expect(changed.stdout).toContain('other.md');
    expect(changed.stdout).not.toContain('kept.md');
    await folder.write({ 'skills/a/other.md': 'x' });
    expect(await lint()).toEqual([]);
    await folder.remove('skills/a/other.md');
    expect(await lint()).toEqual(['a error dead-link']);
    await writeFile(cache, 'damaged');
    expect(await lint()).toEqual(['a error dead-link']);
    // Other rules, other tools: other findings.
    expect(await lint('--only', 'wrong-tool', '--tools', 'Search')).toEqual(['b error wrong-tool']);
    expect(await lint('--only', 'wrong-tool', '--tools', 'Serch')).toEqual([]);
  });

  it('AUT-6: files that are as they were are not even read, and one that just changed is', async () => {
    const folder = await temporaryFolder();
    const open = () => openLintCache({ XDG_CACHE_HOME: folder.path }, '1', 'key');
    const file = { path: 'SKILL.md', size: 3, mode: 0o644, changedMs: 1e12, isFile: true };
    const skill = { folder: '/a', digest: 'abc' } as unknown as LintSkill;
    const linted = { facts: { name: 'a' } } as unknown as LintedSkill;
    const first = open();
    first.put(skill, [file], linted);
    first.save();
    expect(open().byState('/a', [file])).toEqual(linted);
    for (const other of [{ size: 4 }, { mode: 0o755 }, { changedMs: 1e12 + 1 }, { path: 'skill.md' }])
      expect(open().byState('/a', [{ ...file, ...other }]), JSON.stringify(other)).toBeNull();
    const now = { ...file, changedMs: Date.now() };
    const second = open();
    second.put(skill, [now], linted);
    second.save();
    expect(open().byState('/a', [now])).toBeNull();
    expect(open().byDigest(skill, [now])).toEqual(linted);
    expect(open().byDigest({ ...skill, digest: 'abd' }, [now])).toBeNull();
  });

  it('AUT-6: a file that changed is read, whatever its time says', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a', '', '[x](gone.md)') });
    const env = { XDG_CACHE_HOME: folder.at('cache') };
    const lint = async (): Promise<string> => (await runCli(folder.path, ['lint', 'skills', '--json'], { env })).stdout;
    const asBefore = (): Promise<void> => utimes(folder.at('skills/a/SKILL.md'), new Date(1e12), new Date(1e12));
    // Files that just changed are read again, so each look is one of later.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    await asBefore();
    expect(await lint()).toContain('gone.md');
    await folder.write({ 'skills/a/SKILL.md': skillMd('a', '', '[x](lost.md)') });
    await asBefore();
    expect(await lint()).toContain('lost.md');
  });

  it('AUT-6: where nothing changed, no parser is loaded', async () => {
    // Made of two parts, so that nobody takes this file for one that holds a secret.
    const token = ['glpat', 'Zq8Rt5Wk2Lm9Xc4Vb7Np'].join('-');
    const folder = await temporaryFolder({
      // YAML that is not plain, a link and a token: each needs a parser of its own.
      'skills/a/SKILL.md': skillMd('a', 'metadata: { of: &one "x" }', `[x](gone.md) ${token}`),
      'skills/b/SKILL.md': skillMd('b'),
    });
    const env = { XDG_CACHE_HOME: folder.at('cache') };
    const parsers =
      /\/(?:yaml|commonmark|@secretlint|picomatch)\/|\/lint-skill-of\.ts$|\/skills-core\/src\/format\/(?:parse-skill-md|parse-yaml)/;
    const modules = async (...argv: string[]): Promise<string[]> => await loadedBy(['lint', 'skills', ...argv], { cwd: folder.path, env });
    // Files that just changed are read again, so the first look is one of later.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(codes(await runCli(folder.path, ['lint', 'skills', '--json'], { env }))).toContain('a error secret');
    const again = await modules();
    expect(again.filter((url) => parsers.test(url))).toEqual([]);
    expect(again.length).toBeLessThan(400);
    const whole = await modules('--no-cache');
    for (const parser of ['/yaml/', '/commonmark/', '/@secretlint/', '/lint-skill-of.ts'])
      expect(
        whole.some((url) => url.includes(parser)),
        parser,
      ).toBe(true);
  });

  it('AUT-6: a skill that another one is compared with is compared again when it changes', async () => {
    const of = (name: string, description: string): string => `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`;
    const text = 'Tunes slow queries of PostgreSQL. Use when a report or a page is slow.';
    const folder = await temporaryFolder({ 'one/SKILL.md': of('one', text), 'two/SKILL.md': of('two', text) });
    const env = { XDG_CACHE_HOME: folder.at('.cache') };
    const lint = async (): Promise<string[]> => codes(await runCli(folder.path, ['lint', '.', '--json'], { env }));
    expect(await lint()).toEqual(['two warning similar-descriptions']);
    expect(await lint()).toEqual(['two warning similar-descriptions']);
    await folder.write({ 'one/SKILL.md': of('one', 'Repairs boats in a dock. Use when a boat leaks.') });
    expect(await lint()).toEqual([]);
    await folder.remove('one/SKILL.md');
    expect(await lint()).toEqual([]);
  });
});
