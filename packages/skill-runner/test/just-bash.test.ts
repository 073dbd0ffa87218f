import { justBashRunner, type JustBashRunnerOptions } from '@repertoire/skill-runner/just-bash';
import { expandSnippets } from '@repertoire/skill-runner/scripts';
import { skillDigest } from '@repertoire/skills-core/provider';
import { Bash } from 'just-bash';
import { describe, expect, it } from 'vitest';
import { bytesOf, requestOf, runFiles, textOf } from './support/skill-files.ts';

const make = (options: Partial<JustBashRunnerOptions> = {}) => justBashRunner({ create: (given) => new Bash(given), ...options });
const runner = make();

describe('justBashRunner', () => {
  it('SRC-10: runs a script with its files, arguments as data, and standard input', async () => {
    const files = {
      'scripts/top.sh':
        '#!/bin/bash\nset -euo pipefail\necho "$# $1"; cat data.txt - | sort | uniq -c | sort -rn | head -1 | tr -s " " > out.txt; cat out.txt; source scripts/lib.sh',
      'scripts/lib.sh': 'echo from lib',
      'data.txt': 'b\na\n',
    };
    const given = ['x y; $(id) `id` \n"\'', '--', '-x'];
    const result = await runFiles(runner, files, { arguments: given, stdin: 'b\n' });
    expect(result).toMatchObject({ exitCode: 0, endedBy: 'exit', stdout: `3 ${given[0]}\n 2 b\nfrom lib\n`, stderr: '', truncated: false });
    expect(result.confinement).toMatchObject({
      kind: 'just-bash',
      holds: expect.arrayContaining(['network', 'host-reads', 'host-writes']),
    });
    expect(result.filesWritten.map(({ path }) => path)).toEqual(['out.txt']);
    expect(textOf(result, 'out.txt')).toBe(' 2 b\n');
  });

  it('SRC-10: runs command lines, with arguments as positional parameters', async () => {
    const result = await runFiles(runner, {}, { command: 'echo "$0: $1"; exit 7', arguments: ['$(id)'] });
    expect(result).toMatchObject({ exitCode: 7, stdout: 'skill: $(id)\n' });
  });

  it('SRC-3: expands snippets', async () => {
    const files = bytesOf({ VERSION: '1.2.3\n' });
    const skill = { name: 'info', version: null, origin: { kind: 'code', label: 'own', trusted: true } };
    const body = 'Version !`cat VERSION` !`git log`';
    const expanded = await expandSnippets(body, { runner, skill, files, digest: await skillDigest(files) });
    expect(expanded.body).toBe('Version 1.2.3 [error: "git log" ended with exit code 127: bash: git: command not found]');
  });

  it('SRC-10: sees nothing of the host', async () => {
    const script = 'cat /etc/passwd /proc/self/environ "$0".none; ls /home; curl http://127.0.0.1; env | grep -c SECRET';
    process.env['SKILL_SECRET'] = 'SECRET';
    const { stdout } = await runFiles(runner, { 'x.sh': script });
    delete process.env['SKILL_SECRET'];
    expect(stdout).toBe('0\n');
  });

  it('SRC-10: ends loops, output, forks and waiting', async () => {
    expect(await runFiles(runner, { 'x.sh': 'sleep 60' }, { timeoutMs: 50 })).toMatchObject({ exitCode: null, endedBy: 'timeout' });
    expect(await runFiles(runner, { 'x.sh': 'sleep 60 & echo x' }, { timeoutMs: 50 })).toMatchObject({ endedBy: 'timeout' });
    const loop = await runFiles(runner, { 'x.sh': 'while :; do :; done' }, { timeoutMs: 200 });
    expect([124, 126, null]).toContain(loop.exitCode);
    const printed = await runFiles(runner, { 'x.sh': 'while :; do echo yes; done' }, { timeoutMs: 2_000, maxOutputBytes: 1_000 });
    expect([124, 126, null]).toContain(printed.exitCode);
    const output = await runFiles(runner, { 'x.sh': 'printf "%01000d" 0; echo no >&2' }, { maxOutputBytes: 10 });
    expect(output).toMatchObject({ exitCode: null, endedBy: 'output', truncated: true, stdout: '0000000000', stderr: '' });
    // No number, so it is the runner's.
    for (const maxOutputBytes of [-1, Number.NaN])
      expect(await runFiles(runner, { 'x.sh': 'echo hi' }, { maxOutputBytes })).toMatchObject({ stdout: 'hi\n', truncated: false });
    // More than the shell itself may hold.
    const more = await runFiles(make({ maxFolderBytes: 500 }), { 'x.sh': 'printf "%01000d" 0' }, { maxOutputBytes: 10 });
    expect(more).toMatchObject({ exitCode: null, endedBy: 'output', truncated: true });
    // What the shell says of its own limit is no output of the script.
    const lines = 'echo own >&2; line=$(printf "%01500d" 0); for n in 1 2 3; do echo $line; done';
    expect(await runFiles(make({ maxFolderBytes: 5_000 }), { 'x.sh': lines }, { maxOutputBytes: 5_000 })).toMatchObject({
      exitCode: null,
      endedBy: 'output',
      truncated: true,
      stdout: `${'0'.repeat(1_500)}\n`.repeat(2),
      stderr: 'own',
    });
    expect((await runFiles(runner, { 'x.sh': 'f() { f | f & }; f' })).exitCode).not.toBe(0);
  });

  it('SRC-10: a script that speaks of a limit of output, or cannot be run, has ended by itself', async () => {
    const words = 'bash: total output size exceeded';
    expect(await runFiles(runner, { 'x.sh': `echo "${words}" >&2; exit 1` })).toMatchObject({
      exitCode: 1,
      endedBy: 'exit',
      stderr: `${words}\n`,
      truncated: false,
    });
    expect(await runFiles(runner, { 'x.sh': 'echo "no such tool" >&2; exit 126' })).toMatchObject({
      exitCode: 126,
      endedBy: 'exit',
      stderr: 'no such tool\n',
      truncated: false,
    });
  });

  it('SRC-3: the limit of output does not cut what goes through pipes of a command', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => `${index},some text in a row\n`).join('');
    const limits = { maxOutputBytes: 16_384 };
    for (const command of ['cat data.csv | wc -l', 'wc -l < data.csv', 'grep -c row data.csv'])
      expect((await runFiles(runner, { 'data.csv': rows }, { command, ...limits })).stdout.trim()).toBe('5000');
    const last = await runFiles(runner, { 'data.csv': rows }, { command: 'cut -d, -f1 data.csv | tail -1', ...limits });
    expect(last).toMatchObject({ exitCode: 0, endedBy: 'exit', stdout: '4999\n', truncated: false });
    const all = await runFiles(runner, { 'data.csv': rows }, { command: 'cat data.csv', ...limits });
    expect(all).toMatchObject({ exitCode: null, endedBy: 'output', truncated: true });
    expect(all.stdout).toBe(rows.slice(0, 16_384));
  });

  it('SRC-10: a command that begins with a dash is a command', async () => {
    expect(await runFiles(runner, {}, { command: '-c id; echo end' })).toMatchObject({ exitCode: 0, stdout: 'end\n' });
  });

  it('SRC-10: bounds the files that it keeps', async () => {
    const small = make({ maxFolderBytes: 300_000 });
    const script = 'line=$(printf "%01000d" 0); for n in $(seq 1 900); do echo "$line" >> "f$((n % 9))" || exit 9; done';
    const { exitCode, filesWritten } = await runFiles(small, { 'x.sh': script });
    expect(exitCode).not.toBe(0);
    expect(filesWritten.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(300_000);
  });

  it('SRC-10: an abort rejects with its reason', async () => {
    const controller = new AbortController();
    const running = runFiles(runner, { 'x.sh': 'sleep 60' }, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });

  it('SRC-10: takes bytes and gives text', async () => {
    const stdin = new TextEncoder().encode('ä\u{1F642}\n');
    expect(
      (await runFiles(runner, { 'x.sh': 'cat; wc -c < inputs/data.bin' }, { stdin, inputs: { 'data.bin': new Uint8Array([255, 0, 1]) } }))
        .stdout,
    ).toMatch(/^ä🙂\n\s*3\n$/);
  });

  it('SRC-10: decodes output that a shell gives as bytes', async () => {
    const create: JustBashRunnerOptions['create'] = (given) => {
      const shell = new Bash(given);
      const exec = shell.exec.bind(shell);
      return Object.assign(shell, {
        exec: async (...all: Parameters<typeof exec>) => ({
          ...(await exec(...all)),
          stdout: '\u00c3\u00a4',
          stdoutKind: 'bytes' as const,
        }),
      });
    };
    expect((await runFiles(make({ create }), { 'x.sh': 'echo' })).stdout).toBe('ä');
  });

  it('SRC-10: refuses what it does not run, what changed, and hostile input', async () => {
    const noPython = { code: 'unsupported', path: 'x.py', message: expect.stringContaining('it runs .sh, .bash.') };
    await expect(runFiles(runner, { 'x.py': '' })).rejects.toMatchObject(noPython);
    expect((await runFiles(runner, { tool: '#!/usr/bin/env bash\necho ok' })).stdout).toBe('ok\n');
    await expect(runFiles(runner, { tool: '#!/usr/bin/env python3\n' })).rejects.toMatchObject({ code: 'unsupported' });
    const request = await requestOf({ 'x.sh': 'echo' });
    await expect(runner.run({ ...request, digest: '0'.repeat(64) })).rejects.toMatchObject({ code: 'digest-mismatch' });
    await expect(runFiles(runner, { 'x.sh': '' }, { arguments: ['\0'] })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(runFiles(runner, { 'x.sh': '' }, { script: 'y.sh' })).rejects.toMatchObject({ code: 'resource-not-found' });
    const broken = make({
      create: () => {
        throw new Error('no shell');
      },
    });
    await expect(runFiles(broken, { 'x.sh': '' })).rejects.toMatchObject({ code: 'runner-failed' });
    expect(() => make({ timeoutMs: -1 })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    expect(make({ label: 'shell of the team' }).label).toBe('shell of the team');
  });

  it('SRC-10: runs Python of the package, where the host turned it on', async () => {
    const python = make({ create: (given) => new Bash({ ...given, python: true }), programs: { '.py': 'python3' } });
    const script = 'import sys\nfrom pathlib import Path\nprint(sys.argv[1:], sys.stdin.read())\nPath("out.txt").write_text("x")';
    const result = await runFiles(python, { 'scripts/x.py': script }, { arguments: ['a b'], stdin: 'in' });
    expect(result).toMatchObject({ exitCode: 0, stdout: "['a b'] in\n" });
    expect(textOf(result, 'out.txt')).toBe('x');
  });
});
