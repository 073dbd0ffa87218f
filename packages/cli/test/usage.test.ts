import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { run } from '@repertoire/cli';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { commandTable } from '../src/commands/command-table.ts';
import { wrapLines } from '../src/text/wrap-lines.ts';
import { loadedBy } from './loaded-by.ts';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

describe('AUT-1: the repertoire command', () => {
  it('tells its version and what it can do', async () => {
    expect(await runCli('/', ['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
    const help = await runCli('/', ['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/bundle .*<sources\.\.\.>[\s\S]*Exit codes: 0[\s\S]*Examples:/);
    const bundle = await runCli('/', ['bundle', '--help']);
    expect(bundle).toMatchObject({ code: 0, stderr: '' });
    expect(bundle.stdout).toMatch(/--out <file>[\s\S]*--check[\s\S]*--json[\s\S]*Examples:[\s\S]*Exit codes:/);
  });

  it.each([
    ['no command', [], /Usage: repertoire/],
    ['an unknown command', ['bundel'], /unknown command 'bundel'[\s\S]*Did you mean bundle\?/],
    ['an unknown option', ['bundle', 'skills', '--out', 'x.ts', '--chek'], /unknown option '--chek'[\s\S]*Did you mean --check\?/],
    ['no roots', ['bundle', '--out', 'x.ts'], /missing required argument 'sources'/],
    ['no --out', ['bundle', 'skills'], /required option '-o, --out <file>' not specified/],
    ['options that contradict', ['bundle', 'skills', '--out', 'x.ts', '--watch', '--check'], /cannot be used with option '--check'/],
    ['a size that is none', ['bundle', 'skills', '--out', 'x.ts', '--max-file', 'much'], /'much' is invalid\. Give a number of bytes/],
    ['an output that is no module', ['bundle', 'skills', '--out', 'x.json'], /error invalid-options --out names "x\.json".*\.ts, \.mts/],
    ['an output of types alone', ['bundle', 'skills', '--out', 'x.d.mts'], /error invalid-options --out names "x\.d\.mts"/],
    [
      'chunks that no import can name',
      ['bundle', 'skills', '--out', 'a#b.ts', '--split'],
      /error invalid-options --out names "a#b\.ts".*--split/,
    ],
    ['wrong usage that is watched', ['bundle', 'skills', '--out', 'x.json', '--watch'], /error invalid-options --out names "x\.json"/],
  ])('exits with 2 for %s, and says what to do on stderr', async (_, argv, message) => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a') });
    const { code, stdout, stderr } = await runCli(folder.path, argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('prints one JSON document on stdout where it fails, too', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'x.ts/is-a-folder': '' });
    const failed = await runCli(folder.path, ['bundle', 'skills', '--out', 'x.ts', '--json']);
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({ ok: false, errors: [{ code: 'source-unavailable', path: folder.at('x.ts') }] });
    expect(await folder.list()).toEqual(['skills/a/SKILL.md', 'x.ts/is-a-folder']);
  });

  it('prints JSON that a terminal shows as it is, whatever skills hold', async () => {
    const description = 'Red \\u009b31m, turned \\u202e, invisible \\u200b, \\u{1F600}'.replace('\\u{1F600}', '\u{1F600}');
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': `---\nname: "B\\u009b31m\\u202e"\ndescription: "${description}"\n---\n` });
    const { stdout } = await runCli(folder.path, ['bundle', 'skills', '--out', 'y.ts', '--json']);
    expect(stdout).not.toMatch(/[^\P{C}\n]/u);
    expect(JSON.parse(stdout)).toMatchObject({ skills: [{ name: 'B\u009b31m\u202e' }] });
  });

  it('has colors on a terminal only, and not where NO_COLOR is set', async () => {
    const folder = await temporaryFolder();
    const argv = ['bundle', 'missing', '--out', 'x.ts'];
    expect((await runCli(folder.path, argv)).stderr).toMatch(/^error /);
    expect((await runCli(folder.path, argv, { isTTY: true, env: { NO_COLOR: '1' } })).stderr).toMatch(/^error /);
    expect((await runCli(folder.path, argv, { isTTY: true })).stderr).toMatch(/^\u001B\[31merror /);
  });

  it('ends its process with the exit code, and in peace where nobody reads on', async () => {
    const start = (...argv: string[]) => {
      const child = spawn(process.execPath, ['--conditions=@repertoire/source', path.join(import.meta.dirname, '../src/main.ts'), ...argv]);
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number, stderr })) };
    };
    expect(await start('bundel').ended).toEqual({ code: 2, stderr: expect.stringContaining('Did you mean bundle?') });
    const { child, ended } = start('--help');
    child.stdout.destroy();
    expect(await ended).toEqual({ code: 0, stderr: '' });
  });

  it('AUT-1: imports a command only when it is called', async () => {
    const help = (await loadedBy(['--help'])).join('\n');
    expect(help).toContain('/cli/src/run.ts');
    expect(help).not.toMatch(/skills-core|skill-fs|commands\/(?!command-table)/);
    const check = (await loadedBy(['check', '--help'])).join('\n');
    expect(check).toContain('/commands/check.ts');
    expect(check).not.toMatch(/commands\/(?:lint|bundle|publish|show)\.ts|skill-storage|skill-http/);
    // Plain frontmatter is read without the parser of YAML, which takes longer than listing hundreds.
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a') });
    const list = (await loadedBy(['list', folder.at('a')])).join('\n');
    expect(list).toContain('/skill-fs/');
    expect(list).not.toContain('/yaml/');
  });

  it.each(commandTable)('AUT-1: $name says in its help what it takes, with examples', async ({ name, usage }) => {
    const own = (await runCli('/', [name, '--help'])).stdout;
    expect(own).toContain(`Usage: repertoire ${name} [options] ${usage}\n`);
    // What it does stands before what it takes.
    expect(own.split('\n\n')[1]).not.toMatch(/^(?:Arguments|Options):/);
    expect(own).toMatch(/Examples:\n {2}\S[\s\S]*Exit codes:/);
    expect(own).toContain('--json');
  });

  it('shows nothing of a skill that moves the cursor', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': '---\nname: "a\\u001b[2J"\n---\nNo description' });
    const { code, stderr } = await runCli(folder.path, ['bundle', 'skills', '--out', 'x.ts']);
    expect(code).toBe(1);
    expect(stderr).not.toContain('\u001B');
  });
});

describe('AUT-1: help on a narrow terminal', () => {
  it.each(['check', 'publish', 'lint', 'test', 'serve', 'bundle'])(
    'AUT-1: no line of %s --help is wider than the terminal, and none is lost',
    async (command) => {
      const written = async (columns: number | undefined): Promise<string> => {
        let stdout = '';
        const text = { isTTY: true, columns, write: (more: string) => (stdout += more) };
        await run([command, '--help'], { stdout: text, stderr: text, cwd: '/', env: {} });
        return stdout;
      };
      const wide = await written(undefined);
      for (const columns of [60, 100]) {
        const narrow = await written(columns);
        // A word that fits nowhere, such as an address, stays whole.
        const tooWide = narrow.split('\n').filter((line) => line.length > columns && line.trim().includes(' '));
        expect(tooWide).toEqual([]);
        expect(narrow.split(/\s+/).sort()).toEqual(wide.split(/\s+/).sort());
      }
    },
  );

  it('AUT-1: a line that just fits stays as it is', () => {
    const line = '  --an-option <of-many-letters>  What it does.';
    expect(wrapLines(line, line.length)).toBe(line);
    expect(wrapLines(line, line.length - 1)).toContain('\n');
  });
});
