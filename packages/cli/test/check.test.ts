import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

describe('AUT-1: repertoire check', () => {
  it('AUT-1: has the verdicts and exit codes of the reference validator', async () => {
    const folder = await temporaryFolder({
      'good/SKILL.md': skillMd('good'),
      'lower/skill.md': skillMd('lower'),
      'Upper/SKILL.md': skillMd('Upper'),
      'other/SKILL.md': skillMd('another'),
      'extra/SKILL.md': skillMd('extra', 'tags: [a]'),
      'no-frontmatter/SKILL.md': '# Hello\n',
      'empty/readme.txt': '',
    });
    for (const [path, code, message] of [
      ['good', 0, ''],
      ['good/SKILL.md', 0, ''],
      ['lower', 0, ''],
      ['Upper', 1, /Validation failed for Upper:\n {2}- .*lowercase/],
      ['other', 1, /Validation failed for other:\n {2}- .*"?other"?/],
      ['extra', 1, /Validation failed for extra:\n {2}- .*tags/],
      ['no-frontmatter', 1, /Validation failed for no-frontmatter:\n {2}- .*frontmatter/],
      ['empty', 1, /Missing required file: SKILL\.md/],
      ['missing', 2, /Path does not exist: missing/],
      ['empty/readme.txt', 2, /Not a directory/],
    ] as const) {
      const result = await runCli(folder.path, ['check', path]);
      expect([path, result.code], result.stderr).toEqual([path, code]);
      expect(result.stderr).toMatch(message);
      if (code === 0) expect(result.stdout).toMatch(/^Valid skill: (good|lower)\n$/);
    }
  });

  it('AUT-1: finds skills in folders at any depth and by globs, and never in node_modules', async () => {
    const folder = await temporaryFolder({
      'packages/a/skills/one/SKILL.md': skillMd('one'),
      'packages/b/skills/two/SKILL.md': skillMd('two'),
      'packages/b/node_modules/x/SKILL.md': 'not valid',
      'packages/b/other/three/SKILL.md': skillMd('wrong-name'),
      'packages/a/skills/one/phases/first/SKILL.md': '# A part of one, and no skill\n',
      'packages/a/skills/one/assets/template/SKILL.md': skillMd('your-skill'),
    });
    const names = async (...argv: string[]) => {
      const { code, stdout } = await runCli(folder.path, ['check', '--json', ...argv]);
      const { ok, skills } = JSON.parse(stdout) as { ok: boolean; skills: { path: string; valid: boolean }[] };
      expect(ok).toBe(code === 0);
      return skills.map(({ path, valid }) => [path, valid]);
    };
    const one = ['packages/a/skills/one', true];
    const two = ['packages/b/skills/two', true];
    expect(await names('packages')).toEqual([one, ['packages/b/other/three', false], two]);
    expect(await names('packages/*/skills')).toEqual([one, two]);
    expect(await names('packages/**/one/SKILL.md', 'packages/a')).toEqual([one]);
    expect(await runCli(folder.path, ['check', 'nothing/*'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('matches no folder'),
    });
  });

  it('AUT-1: --tools finds misspelt tools, and --lenient refuses only what cannot be loaded', async () => {
    const folder = await temporaryFolder({
      'a/SKILL.md': skillMd('a', 'tools: [search_order, refund]\nallowed-tools: Reed(x) Bash(git:*) mcp__*'),
    });
    const argv = ['check', 'a', '--lenient', '--tools', 'search_orders, refund,Read'];
    const { code, stderr } = await runCli(folder.path, argv);
    expect(code).toBe(1);
    expect(stderr).toContain('"tools" names the tool "search_order", which does not exist. Did you mean "search_orders"?');
    expect(stderr).toContain('"allowed-tools" names the tool "Reed", which does not exist. Did you mean "Read"?');
    // Tools of other clients are no slips, and there is one.
    expect(stderr).not.toMatch(/Bash|mcp__|"refund"/);
    expect(await runCli(folder.path, ['check', 'a', '--lenient'])).toMatchObject({ code: 0 });
    expect(await runCli(folder.path, ['check', 'a'])).toMatchObject({ code: 1, stderr: expect.stringContaining('tools') });
    expect(await runCli(folder.path, ['check', 'a', '--tools', ' , '])).toMatchObject({ code: 2 });
  });

  it('AUT-1: --since looks at what changed in git alone', async () => {
    const folder = await temporaryFolder({
      'skills/a/SKILL.md': skillMd('wrong'),
      'skills/b/SKILL.md': skillMd('b'),
      'skills/c/x.md': 'x',
      'skills/c/SKILL.md': skillMd('c'),
    });
    expect(await runCli(folder.path, ['check', '.', '--since', 'HEAD'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--since HEAD cannot be compared/),
    });
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false', ...words], {
        cwd: folder.path,
        stdio: 'pipe',
      });
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'All');
    const paths = async (command: string): Promise<string> =>
      (await runCli(folder.path, [command, 'skills', '--since', 'HEAD', '--json'])).stdout;
    expect(JSON.parse(await paths('check'))).toMatchObject({ ok: true, checked: 0 });
    await folder.write({ 'skills/b/SKILL.md': skillMd('b', '', 'Changed.'), 'skills/d/SKILL.md': skillMd('d') });
    await folder.remove('skills/c/x.md');
    expect(JSON.parse(await paths('check'))).toMatchObject({ ok: true, skills: [{ name: 'b' }, { name: 'c' }, { name: 'd' }] });
    expect(JSON.parse(await paths('lint'))).toMatchObject({ ok: true, skills: 3 });
    const injected = await runCli(folder.path, ['check', 'skills', '--since=--output=stolen.txt']);
    expect(injected.code).toBe(2);
    expect((await folder.list()).filter((file) => !file.startsWith('.git/'))).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => `skills/${name}/SKILL.md`),
    );
  });
});

describe('AUT-1: repertoire new', () => {
  it('AUT-1: makes a skill that is valid and without findings, and never replaces one', async () => {
    const folder = await temporaryFolder();
    const made = await runCli(folder.path, ['new', 'release-notes', '--json']);
    expect(made.code).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({ ok: true, name: 'release-notes', file: '.agents/skills/release-notes/SKILL.md' });
    expect(await folder.list()).toEqual(['.agents/skills/release-notes/SKILL.md']);
    expect(await runCli(folder.path, ['check', '.agents'])).toMatchObject({ code: 0 });
    // What is to be filled in is all that lint finds.
    const { findings } = JSON.parse((await runCli(folder.path, ['lint', '.agents', '--style', '--json'])).stdout) as {
      findings: { code: string; line: number }[];
    };
    expect(findings.map(({ code, line }) => [code, line])).toEqual([
      ['unfilled-template', 3],
      ['unfilled-template', 8],
    ]);
    const description = 'Handles: "refunds" # of all kinds. Use when money goes back.';
    expect(await runCli(folder.path, ['new', 'billing', '--in', 'more', '--description', description])).toMatchObject({ code: 0 });
    const shown = await runCli(folder.path, ['show', 'billing', 'more', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ skill: { name: 'billing', description } });
    const again = await runCli(folder.path, ['new', 'release-notes', '--description', 'Another.']);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('error duplicate-skill') });
    expect(await runCli(folder.path, ['check', '.agents'])).toMatchObject({ code: 0 });
  });

  it.each(['Release Notes', '../escape', 'a/b', 'a--b', '-a', '.', 'naïve'])('AUT-1: refuses %j as a name', async (name) => {
    const folder = await temporaryFolder();
    const result = await runCli(folder.path, ['new', '--', name]);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('is no name for a skill') });
    expect(await folder.list()).toEqual([]);
  });
});
