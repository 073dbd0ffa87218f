import { spawn, spawnSync } from 'node:child_process';
import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { available, folderForCopies, isRoot, processesWith, runnerFor } from './support/confinements.ts';
import { withoutProgram } from './support/programs.ts';
import { bytesOf, runFiles } from './support/skill-files.ts';

const copies = await folderForCopies();
const hostProgram = await bundleProgram(path.join(import.meta.dirname, 'support/host-program.ts'));
const host = await mkdtemp(path.join(tmpdir(), 'skill-runner-host-'));
await chmod(host, 0o755);
afterAll(() => rm(host, { recursive: true, force: true }));
const onlyRoot = 'only root can do this, and gives each run a user of its own';

describe.each([...available.keys()])('files of a run, confinement %s', (kind) => {
  const runner = runnerFor(kind, copies, { timeoutMs: 240_000 });
  const small = runnerFor(kind, copies, { maxFolderEntries: 50, maxFolderBytes: 1_000_000, timeoutMs: 240_000 });

  it.each([
    ['names that are not UTF-8', `n=0; while [ $n -lt 60 ]; do n=$((n+1)); : > "$(printf 'f\\377%s' $n)"; done`],
    ['a folder with such a name', `d=$(printf 'd\\377'); mkdir "$d"; n=0; while [ $n -lt 60 ]; do n=$((n+1)); : > "$d/$n"; done`],
    ['bytes in such a folder', `d=$(printf 'd\\377'); mkdir "$d"; head -c 2000000 /dev/zero > "$d/f"`],
    ['closed folders', 'mkdir d; head -c 2000000 /dev/zero > d/f; chmod 000 d'],
    ['folders that can be listed and not entered', 'mkdir d; head -c 2000000 /dev/zero > d/f; chmod 400 d'],
    [
      'folders that can be entered and not listed',
      'mkdir -p d/e; n=0; while [ $n -lt 60 ]; do n=$((n+1)); : > d/e/$n; done; chmod 300 d/e; chmod 300 d',
    ],
  ])('SRC-10: the limits of files count %s (ATK-309)', async (_, script) => {
    expect(await runFiles(small, { 'x.sh': script })).toMatchObject({ exitCode: null, endedBy: 'files' });
  });

  it('SRC-10: a file whose name is not UTF-8 has no path, and takes nothing from the others', async () => {
    const script = `echo 1 > "$(printf 'a\\377')"; mkdir "$(printf 'd\\376')"; echo 2 > "$(printf 'd\\376')/f"; echo 3 > ok`;
    expect((await runFiles(runner, { 'x.sh': script })).filesWritten.map((file) => file.path)).toEqual(['ok']);
  });

  it('SRC-10: a link in the place of a folder, while the run is watched and read (ATK-310)', async () => {
    await mkdir(path.join(host, 'of-the-host'), { recursive: true });
    await writeFile(path.join(host, 'of-the-host/file'), 'of the host');
    const script = `mkdir sub; echo mine > sub/file; mv sub real; ln -s "$1/of-the-host" sub`;
    const { filesWritten } = await runFiles(runner, { 'x.sh': script }, { arguments: [host] });
    expect(filesWritten.map((file) => file.path)).toEqual(['real/file']);
    expect(await readdir(path.join(host, 'of-the-host'))).toEqual(['file']);
  });

  it('SRC-10: what belongs to another user than the run is neither read nor removed (ATK-311)', async (context) => {
    context.skip(!isRoot, onlyRoot);
    context.skip(
      available.get(kind)?.holds.includes('disk') === true,
      'the files of a run are on a file system that no other user reaches',
    );
    const diagnostics: SkillDiagnostic[] = [];
    const folder = await mkdtemp(path.join(host, 'copies-'));
    await chmod(folder, 0o755);
    const watched = runnerFor(kind, folder, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    const running = runFiles(watched, { 'x.sh': 'echo > started; until [ -e go ]; do :; done; echo fine > mine' });
    const skill = await vi.waitUntil(
      async () => {
        const [base = ''] = await readdir(folder);
        const files = await readdir(path.join(folder, base, 'skill')).catch((): string[] => []);
        return files.includes('started') && path.join(folder, base, 'skill');
      },
      { timeout: 240_000 },
    );
    // A second name for a file of root, which the kernel refuses to a script only by default.
    await writeFile(path.join(folder, 'secret'), 'of root', { mode: 0o600 });
    await link(path.join(folder, 'secret'), path.join(skill, 'secret'));
    await mkdir(path.join(skill, 'closed'), { mode: 0o700 });
    await writeFile(path.join(skill, 'closed/kept'), 'of root');
    await writeFile(path.join(skill, 'go'), '');
    const { filesWritten } = await running;
    expect(filesWritten.map((file) => [file.path, file.bytes?.length ?? null])).toEqual([
      ['closed/kept', null],
      ['go', null],
      ['mine', 5],
      ['secret', null],
      ['started', 1],
    ]);
    expect(diagnostics).toMatchObject([{ code: 'run-copy-left' }]);
    expect(await readFile(path.join(skill, 'closed/kept'), 'utf8')).toBe('of root');
    expect(await readFile(path.join(folder, 'secret'), 'utf8')).toBe('of root');
  });

  it('SRC-10: what a killed host left is removed by the next one, with its uploads and processes (ATK-314)', async () => {
    const folder = await mkdtemp(path.join(host, 'copies-'));
    await chmod(folder, 0o777);
    const name = `abandoned-${kind}-${process.pid}`;
    const child = spawn(process.execPath, [hostProgram, kind, folder, `bash -c 'exec -a ${name} sleep 60'`], { stdio: 'ignore' });
    await vi.waitUntil(() => processesWith(`${name}\0`).length === 1, { timeout: 240_000 });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(await readdir(folder)).toHaveLength(1);
    // A folder with such a name may be anybody's: one with another form, and a link, stay.
    await mkdir(path.join(folder, 'skill-run-of-somebody'));
    await symlink(host, path.join(folder, 'skill-run-1-99999999-abcdef'));
    expect((await runFiles(runnerFor(kind, folder), { 'x.sh': 'echo next' })).stdout).toBe('next\n');
    expect(await readdir(folder)).toEqual(['skill-run-1-99999999-abcdef', 'skill-run-of-somebody']);
    // The copy of an ordinary user's plain run is removed, and its processes are not found any more.
    if (kind === 'none' && !isRoot) for (const pid of processesWith(`${name}\0`)) process.kill(pid, 'SIGKILL');
    await expect.poll(() => processesWith(`${name}\0`), { timeout: 240_000 }).toEqual([]);
  });

  it('SRC-10: another run cannot write into a copy (ATK-313)', async (context) => {
    context.skip(kind === 'none' && !isRoot, 'plain runs of an ordinary user are of one user');
    const slow = runFiles(runner, {
      'main.sh': 'echo > started; until [ -e go ]; do :; done; bash ./late.sh',
      'late.sh': 'echo as reviewed',
      go: '',
    });
    const attack = `for f in "$1"/*/skill/late.sh; do echo 'echo written by another skill' > "$f"; done 2>/dev/null; echo tried`;
    expect((await runFiles(runner, { 'x.sh': attack }, { arguments: [copies] })).stdout).toBe('tried\n');
    expect((await slow).stdout).toBe('as reviewed\n');
  });

  it('SRC-10: inputs lie in a folder where no program looks for code, whatever they are called (ATK-318)', async (context) => {
    const [python, git] = [withoutProgram('python3'), withoutProgram('git')];
    context.skip(python !== false || git !== false, `${String(python)}, ${String(git)}`);
    const files = {
      'x.sh':
        'python3 scripts/x.py; node scripts/x.cjs; node scripts/y.mjs; git status 2>&1 | grep -c ran; make -s 2>/dev/null; [ -f .env ] && . ./.env; ls inputs | wc -l',
      'scripts/x.py':
        'import os, sys; sys.path.append(os.path.abspath(__file__ + "/../../vendor"))\nimport csv, json, google.proto; print("python")',
      'vendor/google/proto/__init__.py': '',
      'scripts/x.cjs': 'require("yaml"); require("../lib"); try { console.log(require("../config").ran) } catch { console.log("node") }',
      'scripts/y.mjs': 'import "yaml"; console.log("module")',
      'node_modules/yaml/index.js': '',
      'lib/index.js': '',
    };
    const ran = '\nprint("ran") if 1 else 0\n';
    const named = [
      'csv.py',
      'sitecustomize.py',
      'usercustomize/__init__.py',
      'scripts/json.py',
      'json/__init__.py',
      'google/proto/__init__.py',
      'google/proto.py',
      'vendor/google/proto.py',
      'csv.abi3.so',
      'scripts/__pycache__/x.cpython-311.pyc',
      'x.pth',
      '__main__.py',
    ];
    const inputs = bytesOf({
      ...Object.fromEntries(named.map((name) => [name, ran])),
      'package.json': '{"name":"yaml","exports":"./u.csv"}',
      'scripts/package.json': '{"name":"yaml","exports":"./u.csv"}',
      'lib/package.json': '{"main":"../u.csv"}',
      'node_modules/yaml/index.js': 'console.log("ran")',
      'u.csv': 'console.log("ran")',
      'config.json': '{"ran":"ran"}',
      '.env': 'echo ran',
      GNUmakefile: 'all:\n\t@echo ran\n',
      '.git/config': '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = "echo ran >&2; false"\n',
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/objects/info/x': '',
      '.git/refs/heads/x': '',
    });
    const run = await runFiles(runner, files, { inputs });
    expect(run.stdout).toBe('python\nnode\nmodule\n0\n16\n');
    // What was not part of the digest cannot be what is run, and no skill has a part of that folder.
    const script = 'inputs/x.sh';
    await expect(runFiles(runner, files, { inputs: bytesOf({ 'x.sh': 'echo ran' }), script })).rejects.toMatchObject({
      code: 'resource-not-found',
    });
    for (const own of ['inputs/a.py', 'INPUTS', 'Inputs/package.json'])
      await expect(runFiles(runner, { 'x.sh': '', [own]: '' }, { inputs })).rejects.toMatchObject({ code: 'invalid-input', path: own });
    expect((await runFiles(runner, { 'x.sh': 'ls inputs', 'inputs/a': '' })).stdout).toBe('a\n');
  });

  it('SRC-10: a limit of time and an abort hold while a process that escaped writes (ATK-312)', async () => {
    const name = `writes-${kind}-${process.pid}`;
    const script = `setsid env -i bash -c 'exec -a ${name} bash -c "while :; do echo tick; sleep 0.1; done"' 2>/dev/null & until cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -aq '${name} -c'; do :; done`;
    const end = (): void => {
      for (const pid of processesWith(`${name}\0`)) process.kill(pid, 'SIGKILL');
    };
    const timed = await runFiles(runner, { 'x.sh': script }, { timeoutMs: 3_000 });
    end();
    expect(timed).toMatchObject({ exitCode: 0, endedBy: 'exit' });
    const controller = new AbortController();
    const running = runFiles(runner, { 'x.sh': `${script}; exit 0` }, { signal: controller.signal });
    let isSettled = false;
    const settled = running
      .then(
        () => 'ended',
        (error: unknown) => String(error),
      )
      .finally(() => (isSettled = true));
    await vi.waitUntil(() => isSettled || processesWith(`${name}\0`).length > 0, { timeout: 240_000 });
    controller.abort(new Error('enough'));
    // Confined processes end with the script, so the abort may come too late.
    expect(kind === 'none' ? ['Error: enough'] : ['Error: enough', 'ended']).toContain(await settled);
    end();
  });
});

describe.each([...available.keys()].filter((kind) => kind !== 'none'))('what a script sees of the host, confinement %s', (kind) => {
  it('SRC-10: an application below /usr (ATK-315)', async (context) => {
    context.skip(!isRoot, onlyRoot);
    const folders = ['/usr/src/skill-runner-test', '/usr/local/skill-runner-test'];
    try {
      for (const folder of folders) {
        await mkdir(folder, { recursive: true });
        await writeFile(path.join(folder, '.env'), 'API_KEY=of-the-host');
      }
      const { stdout } = await runFiles(
        runnerFor(kind, copies),
        { 'x.sh': 'cat "$@" 2>/dev/null; echo end' },
        { arguments: folders.map((folder) => `${folder}/.env`) },
      );
      expect(stdout).toBe('end\n');
    } finally {
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    }
  });

  it('SRC-10: an interpreter in a project opens itself, not the project (ATK-316)', async () => {
    const project = await mkdtemp(path.join(host, 'project-'));
    await chmod(project, 0o755);
    await mkdir(path.join(project, 'app/bin'), { recursive: true });
    await mkdir(path.join(project, 'app/lib/models'), { recursive: true });
    await writeFile(path.join(project, 'app/.env'), 'API_KEY=of-the-host');
    await writeFile(path.join(project, 'app/lib/models/a.js'), 'of the project');
    const program = path.join(project, 'app/bin/bash');
    await writeFile(program, '#!/bin/sh\nexec /bin/bash "$@"\n', { mode: 0o755 });
    const runner = runnerFor(kind, copies, { interpreters: [{ name: 'bash', extensions: ['.sh'], path: program }] });
    const script = `cat ${project}/app/.env ${project}/app/lib/models/a.js 2>/dev/null; ls ${project}/app`;
    expect((await runFiles(runner, { 'x.sh': script })).stdout).toBe('bin\n');
  });

  it('SRC-10: an interpreter of an installation reads its libraries', async () => {
    const prefix = await mkdtemp(path.join(host, 'installation-'));
    await chmod(prefix, 0o755);
    for (const folder of ['bin', 'lib/bash', 'etc']) await mkdir(path.join(prefix, folder), { recursive: true });
    await writeFile(path.join(prefix, 'lib/bash/a'), 'library\n');
    await writeFile(path.join(prefix, 'etc/key'), 'of the host');
    const program = path.join(prefix, 'bin/bash');
    await writeFile(program, '#!/bin/sh\nexec /bin/bash "$@"\n', { mode: 0o755 });
    const runner = runnerFor(kind, copies, { interpreters: [{ name: 'bash', extensions: ['.sh'], path: program }] });
    const script = `cat ${prefix}/lib/bash/a ${prefix}/etc/key 2>/dev/null`;
    expect((await runFiles(runner, { 'x.sh': script })).stdout).toBe('library\n');
  });

  it('SRC-10: a readable file twice, and inside a readable folder, stays as it is', async () => {
    const folder = await mkdtemp(path.join(host, 'readable-'));
    await chmod(folder, 0o755);
    const file = path.join(folder, 'file');
    await writeFile(file, 'content');
    await chmod(file, 0o666);
    const runner = runnerFor(kind, copies, { readablePaths: [file, folder, file] });
    expect((await runFiles(runner, { 'x.sh': 'cat "$1"; echo x > "$1"' }, { arguments: [file] })).stdout).toBe('content');
    expect(await readFile(file, 'utf8')).toBe('content');
  });

  it('SRC-10: mounts below a readable path cannot be written (ATK-317)', async (context) => {
    const readable = await mkdtemp(path.join(host, 'read only %s-'));
    await chmod(readable, 0o755);
    const below = path.join(readable, 'be low');
    await mkdir(below);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'mode=777,size=1m,noexec', 'x', below]);
    context.skip(status !== 0, onlyRoot);
    try {
      await writeFile(path.join(below, 'precious'), 'precious', { mode: 0o666 });
      await chmod(path.join(below, 'precious'), 0o666);
      const script =
        'cat "$1/be low/precious"; for f in "$1/be low/precious" "$1/be low/new" "$1/direct"; do (echo x > "$f") 2>/dev/null && echo wrote; done; echo';
      expect(
        await runFiles(runnerFor(kind, copies, { readablePaths: [readable] }), { 'x.sh': script }, { arguments: [readable] }),
      ).toMatchObject({ stdout: 'precious\n' });
      expect(await readdir(below)).toEqual(['precious']);
    } finally {
      spawnSync('umount', [below]);
    }
  });
});
