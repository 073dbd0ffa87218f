import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandTable } from '../src/commands/command-table.ts';
import { runCli } from './run-cli.ts';

/** What bash offers for these words, asked of a real bash. */
function offered(script: string, ...words: string[]): string[] {
  const ask = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _repertoire; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['--noprofile', '--norc', '-c', ask, 'bash', 'repertoire', ...words], { encoding: 'utf8' });
  return output.split('\n').filter((line) => line !== '');
}

describe('AUT-1: completion', () => {
  it('AUT-1: bash completes commands, options and their values', async (context) => {
    context.skip(process.platform === 'win32', 'bash is needed');
    const { code, stdout } = await runCli('/', ['completion', 'bash']);
    expect(code).toBe(0);
    expect(offered(stdout, '')).toEqual([...commandTable.map(({ name }) => name), '--help', '--version']);
    expect(offered(stdout, 'ca')).toEqual(['catalog', 'card']);
    expect(offered(stdout, 'lint', '--f')).toEqual(['--fix', '--format']);
    expect(offered(stdout, 'lint', 'skills', '--format', 's')).toEqual(['sarif']);
    expect(offered(stdout, 'lock', '')).toEqual(['write', 'verify']);
    expect(offered(stdout, 'agent', '')).toEqual(['check', 'graph', 'run']);
    expect(offered(stdout, 'agent', 'run', 'a.yaml', '--ho')).toEqual(['--host']);
    // The rest is names of files, which bash completes itself.
    expect(offered(stdout, 'lock', 'write', '')).toEqual([]);
    expect(offered(stdout, 'bundle', '-o', 'x')).toEqual([]);
  });

  it.each(['bash', 'zsh', 'fish', 'powershell'])('AUT-1: the script for %s holds every command', async (shell) => {
    const { stdout } = await runCli('/', ['completion', shell, '--json']);
    const { script } = JSON.parse(stdout) as { script: string };
    for (const { name } of commandTable) expect(script).toContain(name);
    expect(script).toMatch(/sarif\W{1,4}github/);
  });

  it('AUT-1: the script for zsh tells flags, values of a set, and values that are files', async () => {
    const { stdout } = await runCli('/', ['completion', 'zsh']);
    const lint = stdout.slice(stdout.indexOf('\n  lint)'));
    for (const spec of [
      /--fix'\[[^\]]*\]' \\$/m,
      /--format'\[[^\]]*\]:value:\(text sarif github\)' \\$/m,
      /--config'\[[^\]]*\]:value:_files' \\$/m,
    ])
      expect(lint).toMatch(spec);
  });

  it('AUT-1: the script for zsh is one that a shell can read', async (context) => {
    context.skip(process.platform === 'win32', 'bash is needed');
    const { stdout } = await runCli('/', ['completion', 'zsh']);
    // What it uses of zsh is written as in bash, which more machines have.
    const read = () => execFileSync('bash', ['--noprofile', '--norc', '-n'], { input: stdout, stdio: 'pipe' });
    expect(read).not.toThrow();
  });

  it('AUT-1: refuses shells that it does not know', async () => {
    expect(await runCli('/', ['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('bash, zsh, fish, powershell'),
    });
  });
});
