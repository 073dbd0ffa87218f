import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { available, folderForCopies, isRoot, kinds, processesWith, runnerFor } from './support/confinements.ts';
import { withoutProgram } from './support/programs.ts';
import { runFiles, textOf } from './support/skill-files.ts';

const linux = process.platform === 'linux';
const copies = await folderForCopies();
const hostProgram = await bundleProgram(path.join(import.meta.dirname, 'support/host-program.ts'));

/** A folder of the host that every user could read and write, if it were seen. */
let host = '';
let tcp: Server;
let port = 0;
let unix: Server;

beforeAll(async () => {
  host = await mkdtemp(path.join(tmpdir(), 'skill-runner-host-'));
  await chmod(host, 0o777);
  await writeFile(path.join(host, 'secret.txt'), 'of the host');
  tcp = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
  unix = createServer((socket) => socket.end('reached')).listen(path.join(host, 'socket'));
  await vi.waitUntil(() => tcp.listening && unix.listening, 240_000);
  await chmod(path.join(host, 'socket'), 0o777);
  const address = tcp.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

afterAll(async () => {
  tcp.close();
  unix.close();
  await rm(host, { recursive: true, force: true });
});

it.for(kinds)('SRC-10: the confinement %s is attacked where it works', (kind, context) => {
  context.skip(!available.has(kind), `the confinement "${kind}" does not work on this machine`);
  expect(available.get(kind)?.kind).toBe(kind);
});

describe.each([...available.keys()])('attacks on processRunner, confinement %s', (kind) => {
  const python = withoutProgram('python3');
  const runner = runnerFor(kind, copies, { timeoutMs: 240_000 });
  const holds = (aspect: string): boolean => (available.get(kind)?.holds as readonly string[] | undefined)?.includes(aspect) === true;

  beforeEach((context) => {
    context.skip(!linux, 'attacks are tried on Linux');
  });

  it('SRC-10: says what it holds', () => {
    const confined = ['network', 'host-reads', 'host-writes', 'environment', 'processes'];
    const held = available.get(kind)?.holds ?? [];
    if (kind === 'none') expect(held).not.toEqual(expect.arrayContaining(['network']));
    else expect(held).toEqual(expect.arrayContaining(confined));
  });

  it('SRC-10: writing and reading outside of the copy (ATK-300)', async () => {
    const script = `
for f in "$1/written" /usr/written /etc/written /written /dev/written; do (echo x > "$f") 2>/dev/null && echo "wrote $f"; done
cat "$1/secret.txt" 2>/dev/null
cat /etc/shadow /etc/passwd 2>/dev/null | head -c 1
echo done > inside.txt; echo tmp > "$TMPDIR/fine" && echo end`;
    const result = await runFiles(runner, { 'x.sh': script }, { arguments: [host] });
    expect(textOf(result, 'inside.txt')).toBe('done\n');
    if (kind === 'none') expect(result.stdout).toContain(`wrote ${host}/written\nof the host`);
    else {
      expect(result.stdout).toBe('end\n');
      expect(await readdir(host)).not.toContain('written');
    }
    await rm(path.join(host, 'written'), { force: true });
  });

  it('SRC-10: reading the environment of the host', async () => {
    vi.stubEnv('SKILL_RUNNER_SECRET', 'only-of-the-host');
    try {
      const script = 'env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"';
      const { stdout } = await runFiles(runner, { 'x.sh': script }, { env: { GIVEN: 'yes' } });
      expect(stdout).toContain('GIVEN=yes');
      // Of the same user, /proc tells everything; a plain run of root is one of another user.
      if (holds('environment')) expect(stdout).not.toContain('only-of-the-host');
      const own = await runFiles(runner, { 'x.sh': 'env | cut -d= -f1 | sort | tr "\\n" " "' });
      const mark = kind === 'none' && !isRoot ? 'REPERTOIRE_RUN ' : '';
      expect(own.stdout).toBe(`HOME LANG PATH PWD PYTHONPATH ${mark}SHLVL TMPDIR _ `);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('SRC-10: reaching the network, and sockets of the host (ATK-301)', async (context) => {
    context.skip(python !== false, String(python));
    const script = `
import socket, sys
for family, address in ((socket.AF_INET, ('127.0.0.1', int(sys.argv[1]))), (socket.AF_UNIX, sys.argv[2] + '/socket')):
    try:
        s = socket.socket(family); s.settimeout(5); s.connect(address); print(s.recv(9).decode())
    except OSError as error:
        print('no')`;
    const { stdout } = await runFiles(runner, { 'x.py': script }, { arguments: [String(port), host] });
    expect(stdout).toBe(holds('network') ? 'no\nno\n' : 'reached\nreached\n');
  });

  it('SRC-10: processes that are to outlive the call (ATK-302)', async () => {
    const name = `left-behind-${kind}-${process.pid}`;
    const daemon = `bash -c 'exec -a ${name} sleep 30'`;
    const script = `
${daemon} &
setsid ${daemon} >/dev/null 2>&1 &
(setsid ${daemon} >/dev/null 2>&1 < /dev/null &)
until [ "$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -ao '${name} 30' | wc -l)" -ge 3 ]; do :; done
echo started`;
    const result = await runFiles(runner, { 'x.sh': script });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'started\n' });
    // What is unconfined is found by its mark and ended, which takes the system a moment.
    await vi.waitUntil(() => processesWith(`${name}\0`).length === 0, { timeout: 240_000 });
    expect(holds('processes')).toBe(kind !== 'none' || isRoot);
  });

  it('SRC-10: a process that gives up its mark alone', async () => {
    const name = `in-group-${kind}-${process.pid}`;
    const script = `env -i bash -c 'exec -a ${name} sleep 30' >/dev/null 2>&1 < /dev/null &
until cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -aq '${name} 30'; do :; done`;
    expect((await runFiles(runner, { 'x.sh': script })).exitCode).toBe(0);
    await expect.poll(() => processesWith(`${name}\0`), { timeout: 240_000 }).toEqual([]);
  });

  it('SRC-10: a process that gives up its mark and its group outlives only a plain run of an ordinary user', async () => {
    const name = `unmarked-${kind}-${process.pid}`;
    const script = `setsid env -i bash -c 'exec -a ${name} sleep 30' >/dev/null 2>&1 < /dev/null &
until cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -aq '${name} 30'; do :; done`;
    expect((await runFiles(runner, { 'x.sh': script })).exitCode).toBe(0);
    const left = processesWith(`${name}\0`);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    expect(left).toHaveLength(kind === 'none' && !isRoot ? 1 : 0);
  });

  it('SRC-10: a daemon that holds the output open', async () => {
    const name = `holds-pipe-${kind}-${process.pid}`;
    const script = `setsid env -i bash -c 'exec -a ${name} sleep 30' &
until cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -aq '${name} 30'; do :; done
echo started`;
    const result = await runFiles(runner, { 'x.sh': script });
    for (const pid of processesWith(`${name}\0`)) process.kill(pid, 'SIGKILL');
    expect(result).toMatchObject({ exitCode: 0, endedBy: 'exit', stdout: 'started\n' });
  });

  it('SRC-10: endless output (ATK-304)', async () => {
    const result = await runFiles(runner, { 'x.sh': 'while :; do echo yes; echo no >&2; done' }, { maxOutputBytes: 1_000 });
    expect(result).toMatchObject({ exitCode: null, endedBy: 'output', truncated: true });
    expect(result.stdout.length + result.stderr.length).toBe(1_000);
  });

  it('SRC-10: never ending, deaf to signals, with children (ATK-305)', async () => {
    const name = `deaf-${kind}-${process.pid}`;
    const script = `trap '' TERM INT HUP; bash -c "exec -a ${name} sleep 30" & while :; do :; done`;
    const result = await runFiles(runner, { 'x.sh': script }, { timeoutMs: 700 });
    expect(result).toMatchObject({ exitCode: null, endedBy: 'timeout' });
    await vi.waitUntil(() => processesWith(`${name}\0`).length === 0, { timeout: 240_000 });
  });

  it('SRC-10: an abort ends everything and rejects with its reason', async () => {
    const name = `aborted-${kind}-${process.pid}`;
    const controller = new AbortController();
    const running = runFiles(runner, { 'x.sh': `bash -c 'exec -a ${name} sleep 30'` }, { signal: controller.signal });
    await vi.waitUntil(() => processesWith(`${name}\0`).length === 1, { timeout: 240_000 });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await vi.waitUntil(() => processesWith(`${name}\0`).length === 0, { timeout: 240_000 });
  });

  it('SRC-10: a fork bomb (ATK-303)', async (context) => {
    context.skip(python !== false, String(python));
    context.skip(!holds('process-count'), 'nothing would bound it here');
    // Bounded by itself too: at most 300 processes that end after a second.
    const script = `
import os, time
made = 0
try:
    while made < 300:
        if os.fork() == 0:
            time.sleep(1); os._exit(0)
        made += 1
except OSError as error:
    print(error.strerror)
print(made)`;
    const { stdout } = await runFiles(runner, { 'x.py': script });
    const [error, made] = stdout.trim().split('\n');
    expect(error).toBe('Resource temporarily unavailable');
    expect(Number(made)).toBeLessThan(64);
  });

  it('SRC-10: much memory', async (context) => {
    context.skip(python !== false, String(python));
    context.skip(!holds('memory'), 'held with the filter of system calls only');
    const script = 'import mmap\ntry:\n  mmap.mmap(-1, 3 << 30); print("got it")\nexcept OSError as e: print(e.strerror)';
    expect((await runFiles(runner, { 'x.py': script })).stdout).toBe('Cannot allocate memory\n');
  });

  it('SRC-10: large files, and many of them', async (context) => {
    context.skip(!holds('file-size'), 'this machine refuses limits');
    const limited = runnerFor(kind, copies, { maxFileBytes: 102_400, maxFolderBytes: 1_000_000, timeoutMs: 240_000 });
    const large = await runFiles(limited, { 'x.sh': 'head -c 200000 /dev/zero > large; wc -c < large' });
    expect(large.stdout.trim()).toBe('102400');
    const many = 'n=0; while :; do n=$((n+1)); head -c 90000 /dev/zero > "f$n"; done';
    expect(await runFiles(limited, { 'x.sh': many })).toMatchObject({ exitCode: null, endedBy: 'files' });
    // Too quick for a look at the folder.
    const quick = await runFiles(limited, { 'x.sh': 'for n in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c 90000 /dev/zero > "f$n"; done' });
    expect(quick.endedBy).toBe('files');
    expect(quick.filesWritten.filter(({ bytes }) => bytes === null).length).toBeGreaterThan(0);
  });

  it.each([
    [
      'room that no size tells',
      `fd = os.open(folder + '/f', os.O_CREAT | os.O_WRONLY)`,
      'libc.fallocate(fd, 1, ctypes.c_long(n << 16), ctypes.c_long(1 << 16))',
    ],
    [
      'files without a name',
      `fd = os.open(folder + '/f', os.O_CREAT | os.O_WRONLY); os.unlink(folder + '/f')`,
      'os.write(fd, b"x" * (1 << 16))',
    ],
    ['files that never had one', 'fd = os.open(folder, os.O_TMPFILE | os.O_WRONLY)', 'os.write(fd, b"x" * (1 << 16))'],
    ['empty files', '', `os.close(os.open(f'{folder}/{n}', os.O_CREAT | os.O_WRONLY))`],
  ])('SRC-10: disk, and memory of the kernel, taken by %s (ATK-272)', async (_, first, again) => {
    if (!holds('disk')) return expect(kind).toBe('none');
    const small = runnerFor(kind, copies, { maxFolderBytes: 2_000_000, maxFolderEntries: 200, timeoutMs: 240_000 });
    const script = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for folder in ('/skill', '/tmp', '/dev/shm'):
    n = 0
    ${first === '' ? 'pass' : first}
    while n < 40 if ${first === '' ? 'False' : 'True'} else n < 400:
        try:
            if (${again}) == -1: break
        except OSError: break
        n += 1
    print(n, flush=True)
while True: pass`;
    const { endedBy, stdout } = await runFiles(small, { 'x.py': script });
    expect(endedBy).toBe('files');
    const taken = stdout.trim().split('\n').map(Number);
    expect(taken[0]).toBeGreaterThan(10);
    // All three folders together.
    expect(taken.reduce((sum, count) => sum + count, 0)).toBeLessThan(first === '' ? 300 : 40);
  });

  it('SRC-10: links, pipes and devices that are left for the host to read', async () => {
    const script = `ln -s "$1/secret.txt" link; ln -s "$1" folder; ln x.sh hard; mkfifo pipe; echo fine > file
mkdir sub; ln -s /etc/passwd sub/passwd; echo more > sub/file; rm x.sh; ln -s /etc/passwd x.sh`;
    const result = await runFiles(runner, { 'x.sh': script }, { arguments: [host] });
    expect(result.filesWritten.map((file) => file.path)).toEqual(['file', 'hard', 'sub/file']);
  });

  it('SRC-10: a copy that is hard to remove', async (context) => {
    context.skip(python !== false, String(python));
    const script = `
import os
os.makedirs('closed/inner'); open('closed/inner/f', 'w').close(); os.chmod('closed/inner', 0); os.chmod('closed', 0)
for n in range(1200):
    os.mkdir('deep-folder'); os.chdir('deep-folder')`;
    expect(await runFiles(runner, { 'x.py': script })).toMatchObject({ exitCode: null, endedBy: 'files' });
    expect(await readdir(copies)).toEqual([]);
  });

  it('SRC-10: arguments that want to be something else', async () => {
    const given = ['a b', `q'"\n$(id) \`id\``, '--', '-x', '--help', '', '; echo no', '*', '\\', 'ü'];
    const script = 'for a in "$@"; do printf "%s\\0" "$a"; done';
    const inScript = await runFiles(runner, { '-x.sh': script }, { arguments: given });
    expect(inScript.stdout.split('\0').slice(0, -1)).toEqual(given);
    const inCommand = await runFiles(runner, {}, { command: script, arguments: given });
    expect(inCommand.stdout.split('\0').slice(0, -1)).toEqual(given);
  });

  it('SRC-10: much input that nobody reads', async () => {
    const stdin = new Uint8Array(8_000_000).fill(97);
    expect(await runFiles(runner, { 'x.sh': 'exit 3' }, { stdin })).toMatchObject({ exitCode: 3, endedBy: 'exit' });
    expect((await runFiles(runner, { 'x.sh': 'wc -c' }, { stdin })).stdout.trim()).toBe('8000000');
  });

  it('SRC-10: a new user namespace, in which it would be root', async (context) => {
    context.skip(kind === 'none', 'a plain run may make one');
    expect((await runFiles(runner, {}, { command: 'unshare --user true' })).exitCode).not.toBe(0);
  });

  it('SRC-10: a host that is killed takes confined scripts along', async (context) => {
    context.skip(kind === 'none', 'a plain run survives its host');
    const name = `orphan-${kind}-${process.pid}`;
    await mkdir(path.join(host, 'copies'), { recursive: true });
    await chmod(path.join(host, 'copies'), 0o777);
    const command = `bash -c 'exec -a ${name} sleep 30'`;
    const child = spawn(process.execPath, [hostProgram, kind, path.join(host, 'copies'), command], { stdio: 'ignore' });
    await vi.waitUntil(() => processesWith(`${name}\0`).length === 1, { timeout: 240_000 });
    child.kill('SIGKILL');
    await expect.poll(() => processesWith(`${name}\0`), { timeout: 240_000 }).toEqual([]);
  });
});
