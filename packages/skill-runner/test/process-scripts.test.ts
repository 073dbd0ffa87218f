import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { defaultInterpreters, processRunner } from '@repertoire/skill-runner/process';
import { expandSnippets } from '@repertoire/skill-runner/scripts';
import type { Skill, SkillDiagnostic } from '@repertoire/skills-core';
import { readSkillFiles, skillDigest } from '@repertoire/skills-core/provider';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runProcess } from '../src/process/run-process.ts';
import { available, folderForCopies, runnerFor } from './support/confinements.ts';
import { withoutProgram } from './support/programs.ts';
import { bytesOf, requestOf, runFiles, textOf } from './support/skill-files.ts';

const copies = await folderForCopies();
const [strongest = 'none'] = available.keys();
const runner = runnerFor(strongest, copies);
const examples = path.resolve(import.meta.dirname, '../../../examples/skills');

beforeEach((context) => {
  context.skip(process.platform === 'win32', 'processRunner does not run on Windows');
});

describe('scripts in the shapes that skills have', () => {
  it('SRC-10: Python with argparse, a module beside it, data of the skill and a file that it writes', async (context) => {
    const reason = withoutProgram('python3');
    context.skip(reason !== false, String(reason));
    const files = {
      'scripts/report.py': `#!/usr/bin/env python3
"""Sums a column."""
import argparse, csv, json
from pathlib import Path
from totals import total
from lib.words import title

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("file")
parser.add_argument("--column", default="amount")
parser.add_argument("--out")
options = parser.parse_args()
rules = json.loads((Path(__file__).parent.parent / "assets" / "rules.json").read_text())
with open(options.file, newline="") as handle:
    result = total(csv.DictReader(handle), options.column, rules["factor"])
Path(options.out).write_text(title(result))
print(result)
`,
      'scripts/totals.py': 'def total(rows, column, factor):\n    return sum(float(row[column]) for row in rows) * factor\n',
      'lib/words.py': 'def title(value):\n    return f"Total: {value}\\n"\n',
      'assets/rules.json': '{"factor": 2}',
    };
    const inputs = bytesOf({ 'data/orders.csv': 'id,amount\n1,1.5\n2,2\n' });
    const given = ['inputs/data/orders.csv', '--column=amount', '--out', 'total.txt'];
    const result = await runFiles(runner, files, { inputs, arguments: given });
    expect(result).toMatchObject({ exitCode: 0, endedBy: 'exit', stdout: '7.0\n', stderr: '', truncated: false });
    expect(result.filesWritten.map((file) => file.path)).toEqual(['total.txt']);
    expect(textOf(result, 'total.txt')).toBe('Total: 7.0\n');
    const wrong = await runFiles(runner, files, { arguments: ['--no-such'] });
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain('usage: report.py');
  });

  it('SRC-10: a filter from standard input, with jq', async (context) => {
    const reason = withoutProgram('jq');
    context.skip(reason !== false, String(reason));
    const script = '#!/bin/bash\nset -euo pipefail\njq -r --arg key "$1" \'.[] | .[$key]\'\n';
    expect(
      await runFiles(runner, { 'scripts/pick.sh': script }, { arguments: ['name'], stdin: '[{"name":"ä"},{"name":"b"}]' }),
    ).toMatchObject({
      exitCode: 0,
      stdout: 'ä\nb\n',
    });
  });

  it('SRC-10: a shell script that starts another one of the skill, and works in a temporary folder', async () => {
    const files = {
      'scripts/build.sh': 'set -eu\nd=$(mktemp -d)\necho "$1" > "$d/in"\n"$(dirname "$0")/upper" < "$d/in"\nbash scripts/lib/end.sh\n',
      'scripts/upper': '#!/bin/sh\nexec tr a-z A-Z\n',
      'scripts/lib/end.sh': 'echo end of $(basename "$PWD")',
    };
    const result = await runFiles(runner, files, { arguments: ['text'] });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'TEXT\nend of skill\n' });
  });

  it('SRC-10: Node.js with files beside it: csv-profile of the examples, with the folder provider', async () => {
    const provider = fileSystemSkillProvider({ roots: [{ path: examples, trusted: true }] });
    const skill = (await provider.getSkill('csv-profile')) as Skill;
    const request = { skill, ...(await readSkillFiles(provider, skill)), script: 'scripts/profile.mjs' };
    const stdin = 'id,zip,amount\n1,01067,10.50\n2,01069,\n2,01069,\n';
    const { exitCode, stdout, stderr } = await runner.run({ ...request, arguments: ['-'], stdin });
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 3,
      duplicateRows: 1,
      columns: [{ name: 'id' }, { notes: ['leading-zeros'] }, { missing: 2 }],
    });
    const inputs = bytesOf({ 'data/orders.csv': stdin.replaceAll(',', ';') });
    const fromFile = await runner.run({ ...request, arguments: ['--compact', 'inputs/data/orders.csv'], inputs });
    expect(JSON.parse(fromFile.stdout)).toMatchObject({ file: 'inputs/data/orders.csv', delimiter: ';', rows: 3 });
    expect((await runner.run({ ...request, arguments: ['none.csv'] })).exitCode).toBe(1);
  });

  it('SRC-3: snippets of a body, in the folder of the skill', async () => {
    const files = bytesOf({ VERSION: '1.2.3\n', 'data/a.txt': 'a' });
    const body = 'Version !`cat VERSION`, files: !`ls data | tr "\\n" " "`. !`cat missing` !`echo $ARGUMENTS-$1`';
    const skill = { name: 'info', version: null, origin: { kind: 'fs', label: 'own', trusted: true } };
    const expanded = await expandSnippets(body, { runner, skill, files, digest: await skillDigest(files) });
    expect(expanded.body).toMatch(/^Version 1\.2\.3, files: a\.txt \. \[error: "cat missing" ended with exit code 1: .*missing.*\] -$/);
    expect(expanded.ran).toBe(4);
  });
});

describe('processRunner', () => {
  it.each([
    ['a.py', '#!/usr/bin/env -S uv run --script\n', 'its first line asks for "uv"'],
    ['a.rb', 'puts 1', 'its extension is not one'],
    ['a', 'no line', 'its extension is not one'],
    ['a.sh', '#!/usr/bin/perl\n', '"perl"'],
    ['a.sh', '#!/opt/bash-evil\n', '"bash-evil"'],
  ])('SRC-10: refuses %s that starts with %j', async (script, text, why) => {
    await expect(runFiles(runner, { [script]: text })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining(why),
      path: script,
    });
  });

  it('SRC-10: the first line decides before the extension; the host may allow other programs', async () => {
    expect((await runFiles(runner, { 'a.txt': '#!/usr/bin/env LC_ALL=C bash\necho ok' })).stdout).toBe('ok\n');
    const cat = { name: 'cat', extensions: ['.txt'] };
    const other = runnerFor(strongest, copies, { interpreters: [cat] });
    expect((await runFiles(other, { 'a.txt': 'text' })).stdout).toBe('text');
    await expect(runFiles(other, { 'a.sh': 'echo' })).rejects.toMatchObject({ code: 'unsupported' });
    const [python] = defaultInterpreters;
    const absent = runnerFor(strongest, copies, { interpreters: [{ ...python!, path: '/no/such/python3' }] });
    await expect(runFiles(absent, { 'a.py': '' })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('python3'),
    });
  });

  it('SRC-10: runs command lines only where a shell is allowed', async () => {
    const without = runnerFor(strongest, copies, { shells: [] });
    await expect(runFiles(without, {}, { command: 'echo' })).rejects.toMatchObject({ code: 'unsupported' });
    expect((await runFiles(runner, {}, { command: 'echo "$0: $1"; exit 7', arguments: ['x'] })).stdout).toBe('skill: x\n');
  });

  it('SRC-10: starts in a folder of the skill, with the environment of the host and of the request', async () => {
    const own = runnerFor(strongest, copies, { env: { TZ: 'UTC', KEY: 'host' } });
    const files = { 'scripts/x.sh': 'basename "$PWD"; echo "$TZ $KEY"' };
    expect((await runFiles(own, files, { cwd: 'scripts', env: { KEY: 'run' } })).stdout).toBe('scripts\nUTC run\n');
    for (const cwd of ['none', '..', '/', 'scripts/x.sh'])
      await expect(runFiles(own, files, { cwd })).rejects.toMatchObject({ code: 'resource-not-found' });
    for (const env of [{ LD_PRELOAD: '/x.so' }, { 'A B': '1' }, { A: 'x\0y' }])
      await expect(runFiles(own, files, { env })).rejects.toMatchObject({ code: 'invalid-options' });
  });

  it('SRC-10: what changed after its digest was taken does not run', async () => {
    const request = await requestOf({ 'x.sh': 'echo one', 'data.txt': 'a' });
    const changed = { ...request, files: { ...request.files, 'data.txt': new TextEncoder().encode('b') } };
    await expect(runner.run(changed)).rejects.toMatchObject({ code: 'digest-mismatch', skill: 'sample' });
    const added = { ...request, files: { ...request.files, 'more.txt': new Uint8Array() } };
    await expect(runner.run(added)).rejects.toMatchObject({ code: 'digest-mismatch' });
    // Changed in memory, while the digest is computed and after.
    const running = runner.run(request);
    request.files['x.sh']?.fill(35);
    expect((await running).stdout).toBe('one\n');
  });

  it('SRC-10: a script that is a link out of its skill is none', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'skill-runner-links-'));
    try {
      await mkdir(path.join(folder, 'skills/linked/scripts'), { recursive: true });
      await writeFile(path.join(folder, 'outside.sh'), 'echo outside');
      await writeFile(path.join(folder, 'skills/linked/SKILL.md'), '---\nname: linked\ndescription: Links. Use never.\n---\nRun it.\n');
      await symlink(path.join(folder, 'outside.sh'), path.join(folder, 'skills/linked/scripts/x.sh'));
      const provider = fileSystemSkillProvider({ roots: [{ path: path.join(folder, 'skills'), trusted: true }] });
      const skill = (await provider.getSkill('linked')) as Skill;
      const files = await readSkillFiles(provider, skill);
      await expect(runner.run({ skill, ...files, script: 'scripts/x.sh' })).rejects.toMatchObject({ code: 'resource-not-found' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('SRC-10: hostile paths, inputs over files, NUL and too much of anything', async () => {
    const files = { 'x.sh': 'cat' };
    for (const hostile of ['../x.sh', '/x.sh', 'a\\b', 'a/../../b'])
      await expect(runner.run({ ...(await requestOf(files)), files: { [hostile]: new Uint8Array() } })).rejects.toMatchObject({
        code: 'invalid-path',
      });
    for (const input of ['../y', '/etc/passwd'])
      await expect(runFiles(runner, files, { inputs: bytesOf({ [input]: '' }) })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(runFiles(runner, files, { arguments: ['a\0b'] })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(runFiles(runner, files, { arguments: ['a'.repeat(100_001)] })).rejects.toMatchObject({ code: 'limit-exceeded' });
    const small = runnerFor(strongest, copies, { maxStdinBytes: 10, maxCopyBytes: 10 });
    await expect(runFiles(small, files, { stdin: 'more than ten' })).rejects.toMatchObject({ code: 'limit-exceeded' });
    await expect(runFiles(small, { 'x.sh': 'more than ten' })).rejects.toMatchObject({ code: 'limit-exceeded' });
    await expect(runFiles(small, files, { inputs: bytesOf({ y: 'more than' }) })).rejects.toMatchObject({ code: 'limit-exceeded' });
  });

  it('SRC-10: a request lowers limits and never raises them', async () => {
    const small = runnerFor(strongest, copies, { maxOutputBytes: 10 });
    const files = { 'x.sh': 'printf 123456789äöü' };
    expect(await runFiles(small, files, { maxOutputBytes: 1_000 })).toMatchObject({
      stdout: '123456789',
      truncated: true,
      endedBy: 'output',
    });
    expect((await runFiles(small, files, { maxOutputBytes: 3 })).stdout).toBe('123');
    expect((await runFiles(runner, files)).stdout).toBe('123456789äöü');
  });

  it('SRC-10: no run sees what another one wrote', async () => {
    const files = { 'x.sh': 'ls; echo more >> data.txt; echo x > new.txt; cat data.txt', 'data.txt': 'a\n' };
    const [one, two] = [await runFiles(runner, files), await runFiles(runner, files)];
    expect(one.stdout).toBe('data.txt\nx.sh\na\nmore\n');
    expect(two.stdout).toBe(one.stdout);
    expect(textOf(one, 'data.txt')).toBe('a\nmore\n');
    expect((await runFiles(runner, { 'x.sh': 'touch x.sh data.txt; cp data.txt y; mv y data.txt', 'data.txt': 'a' })).filesWritten).toEqual(
      [],
    );
  });

  it('SRC-10: a signal that ends a script is 128 and its number', async () => {
    expect(await runFiles(runner, { 'x.sh': 'kill -9 $$' })).toMatchObject({ exitCode: 137, endedBy: 'exit' });
  });

  it('SRC-10: nothing runs where the signal was aborted before', async () => {
    await expect(runFiles(runner, { 'x.sh': 'echo' }, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  });

  it('SRC-10: a process that starts after the signal was aborted ends at once', async () => {
    const end = await runProcess({
      argv: ['sleep', '30'],
      env: { PATH: process.env['PATH'] ?? '' },
      startIn: copies,
      owner: null,
      stdin: new Uint8Array(),
      starter: null,
      timeoutMs: 600_000,
      maxOutputBytes: 1_000,
      signal: AbortSignal.abort(),
      onMeasured: () => Promise.resolve(),
      isOverfull: () => Promise.resolve(false),
    });
    expect(end).toMatchObject({ aborted: true, exitCode: 137 });
  });

  it('SRC-10: requires confinement unless the host says otherwise', async () => {
    const plain = processRunner({ confinement: 'none', temporaryFolder: copies });
    await expect(runFiles(plain, { 'x.sh': 'echo ran' })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('requireConfinement: false'),
    });
    const confines = available.has('bubblewrap') || available.has('namespaces');
    const byDefault = runFiles(processRunner({ temporaryFolder: copies }), { 'x.sh': 'echo ran' });
    if (!confines) await expect(byDefault).rejects.toMatchObject({ code: 'unsupported' });
    else expect((await byDefault).confinement.holds).toContain('network');
  });

  it('SRC-10: processes that a plain run leaves are reported', async (context) => {
    context.skip(process.platform !== 'linux', 'they are found on Linux only');
    const diagnostics: SkillDiagnostic[] = [];
    const plain = runnerFor('none', copies, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    await runFiles(plain, { 'x.sh': 'true' });
    expect(diagnostics).toEqual([]);
    await runFiles(plain, { 'x.sh': 'setsid sleep 30 >/dev/null 2>&1 &\nuntil grep -aqs "^sleep" /proc/$!/cmdline; do :; done' });
    expect(diagnostics).toMatchObject([{ code: 'run-processes-left', severity: 'warning', skill: 'sample' }]);
  });

  it('SRC-10: a place for copies that is not there is a failure of the runner', async () => {
    const nowhere = processRunner({ confinement: 'none', requireConfinement: false, temporaryFolder: path.join(copies, 'none') });
    await expect(runFiles(nowhere, { 'x.sh': 'echo' })).rejects.toMatchObject({ code: 'runner-failed' });
  });

  it.each([{ timeoutMs: 0 }, { maxProcesses: 1.5 }, { readablePaths: ['relative'] }, { env: { LD_PRELOAD: 'x' } }])(
    'SRC-10: refuses the options %j',
    (options) => {
      expect(() => processRunner(options)).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    },
  );
});
