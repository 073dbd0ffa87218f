import { starterProgram } from '../src/process/kernel/starter-program.ts';
import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { available, folderForCopies, runnerFor } from './support/confinements.ts';
import { withoutProgram } from './support/programs.ts';
import { runFiles } from './support/skill-files.ts';

const copies = await folderForCopies();
const filtered = [...available].filter(([, { holds }]) => holds.includes('system-calls')).map(([kind]) => kind);

/** Numbers of system calls that have no function in Python, for this machine. */
const numbers = {
  x64: {
    add_key: 248,
    keyctl: 250,
    request_key: 249,
    shmget: 29,
    memfd_create: 319,
    bpf: 321,
    userfaultfd: 323,
    ptrace: 101,
    unshare: 272,
    clone: 56,
  },
  arm64: {
    add_key: 217,
    keyctl: 219,
    request_key: 218,
    shmget: 194,
    memfd_create: 279,
    bpf: 280,
    userfaultfd: 282,
    ptrace: 117,
    unshare: 97,
    clone: 220,
  },
}[process.arch as 'x64' | 'arm64'];

it('SRC-10: confined runs have a filter of system calls where there is one for the processor', (context) => {
  context.skip(process.platform !== 'linux' || numbers === undefined, `no filter for ${process.platform} on ${process.arch}`);
  const confined = [...available.keys()].filter((kind) => kind !== 'none');
  context.skip(confined.length === 0, 'no confinement works on this machine');
  expect(filtered).toEqual(confined);
  expect(available.get('none')?.holds).not.toContain('system-calls');
});

it('SRC-10: the starter is an ELF file for each processor, and ends before it starts anything unfiltered', () => {
  for (const [architecture, machine] of [
    ['x64', 62],
    ['arm64', 183],
  ] as const) {
    const bytes = starterProgram(architecture);
    expect([...bytes.subarray(0, 4), bytes[18]]).toEqual([0x7f, 0x45, 0x4c, 0x46, machine]);
    expect(bytes.length).toBeLessThan(4_096);
    const view = new DataView(bytes.buffer);
    const filter = bytes.length - 8 * view.getUint16(bytes.length - 16 - filterBytes(bytes), true);
    // Its last instruction answers ENOSYS, and the pointer before it leads to the first one.
    expect(view.getBigUint64(filter - 8, true)).toBe(BigInt(0x40_00_00 + filter));
    expect([view.getUint16(bytes.length - 8, true), view.getUint32(bytes.length - 4, true)]).toEqual([0x06, 0x00_05_00_26]);
  }
});

/** The filter begins behind a pointer to it. */
function filterBytes(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer);
  for (let at = 120; at + 16 <= bytes.length; at += 8)
    if (view.getBigUint64(at + 8, true) === BigInt(0x40_00_00 + at + 16)) return bytes.length - at - 16;
  return 0;
}

describe.each(filtered)('the kernel, from a script in %s', (kind) => {
  const python = withoutProgram('python3');
  const runner = runnerFor(kind, copies, { timeoutMs: 240_000 });

  beforeEach((context) => {
    context.skip(python !== false, String(python));
  });

  it('SRC-10: system calls past its walls, and sockets of other families (ATK-307)', async () => {
    const script = `
import ctypes, errno, socket
libc = ctypes.CDLL(None, use_errno=True)
def call(name, number, *given):
    print(name, libc.syscall(number, *given), errno.errorcode.get(ctypes.get_errno(), '-'))
for name, number in ${JSON.stringify(Object.entries(numbers ?? {}))}:
    if name != 'clone': call(name, number, 0, 0, 0, 0, 0)
call('io_uring_setup', 425, 1, 0)
call('clone3', 435, 0, 0)
call('the next call', 600, 0)
call('clone with a user namespace', ${numbers?.clone}, 0x10000000 | 17, 0, 0, 0, 0)
for family, kind, protocol in ((1, 1, 0), (2, 1, 6), (2, 2, 17), (16, 3, 0), (16, 3, 12), (2, 1, 132), (17, 3, 0), (38, 5, 0), (40, 1, 0)):
    try:
        socket.socket(family, kind, protocol); print(family, protocol, 'made')
    except OSError as error:
        print(family, protocol, errno.errorcode[error.errno])`;
    const { stdout, stderr } = await runFiles(runner, { 'x.py': script });
    expect(stderr).toBe('');
    const lines = stdout.trim().split('\n');
    const calls = [...Object.keys(numbers ?? {}).filter((name) => name !== 'clone'), 'io_uring_setup', 'clone3', 'the next call'];
    expect(lines.slice(0, calls.length)).toEqual(calls.map((name) => `${name} -1 ENOSYS`));
    expect(lines.slice(calls.length)).toEqual([
      'clone with a user namespace -1 EPERM',
      '1 0 made',
      '2 6 made',
      '2 17 made',
      '16 0 made',
      ...['16 12', '2 132', '17 0', '38 0', '40 0'].map((socket) => `${socket} EAFNOSUPPORT`),
    ]);
  });

  it('SRC-10: memory in segments that no process has mapped (ATK-308)', async () => {
    const script = `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.shmget(0, 1 << 20, 0o1600), libc.memfd_create(b'm', 0))`;
    expect((await runFiles(runner, { 'x.py': script })).stdout).toBe('-1 -1\n');
  });

  it('SRC-10: what programs need works: threads, children, processes that share memory, Node.js with a worker', async () => {
    const script = `
import multiprocessing, subprocess, threading
t = threading.Thread(target=print, args=('thread',)); t.start(); t.join()
q = multiprocessing.Queue(); p = multiprocessing.Process(target=q.put, args=('process',)); p.start(); print(q.get()); p.join()
print(subprocess.run(['sh', '-c', 'echo child | cat'], capture_output=True, text=True).stdout.strip())`;
    expect((await runFiles(runner, { 'x.py': script })).stdout).toBe('thread\nprocess\nchild\n');
    const node = `
const { execSync } = require('node:child_process');
new (require('node:worker_threads').Worker)('console.log("worker")', { eval: true }).on('exit', () => console.log(execSync('echo child').toString().trim()));`;
    expect((await runFiles(runner, { 'x.js': node })).stdout).toBe('worker\nchild\n');
  });
});

it('SRC-10: the starter reports when it cannot execute its program', (context) => {
  context.skip(filtered.length === 0, 'nothing is filtered on this machine');
  const { status } = spawnSync(
    '/bin/sh',
    ['-c', 'f=$(mktemp) && cat > "$f" && chmod 700 "$f" && "$f" /no/such/program; status=$?; rm -f "$f"; exit $status'],
    {
      input: starterProgram(process.arch as 'x64'),
    },
  );
  expect(status).toBe(126);
});

it.for([...available.keys()])('SRC-10: keys of the host, from a script in %s (ATK-306)', async (kind, context) => {
  const python = withoutProgram('python3');
  context.skip(python !== false, String(python));
  // The host has a key in its session keyring, which its children inherit.
  const host = `
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
if libc.syscall(${numbers?.keyctl}, 1, None) < 0 or libc.syscall(${numbers?.add_key}, b'user', b'api-token', b'of the host', 11, -3) < 0: sys.exit(77)
os.execv(sys.argv[1], sys.argv[1:])`;
  const script = `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(4096)
n = libc.syscall(${numbers?.keyctl}, 11, -3, buffer, 4096)
for at in range(0, max(n, 0), 4):
  size = libc.syscall(${numbers?.keyctl}, 11, int.from_bytes(buffer.raw[at:at + 4], 'little', signed=True), buffer, 4096)
  print(buffer.raw[:max(size, 0)])
for file in ('/proc/keys', '/proc/key-users'):
  try: print(open(file).read())
  except OSError: pass
print('end')`;
  const program = `
import { processRunner } from '@repertoire/skill-runner/process';
import { skillDigest } from '@repertoire/skills-core/provider';
const runner = processRunner({ confinement: '${kind}', requireConfinement: false, temporaryFolder: ${JSON.stringify(copies)} });
const files = { 'x.py': new TextEncoder().encode(${JSON.stringify(script)}) };
const { stdout } = await runner.run({ skill: { name: 'a' }, files, digest: await skillDigest(files), script: 'x.py' });
console.log(stdout);`;
  const argv = ['-c', host, process.execPath, ...process.execArgv, '--input-type=module', '-e', program];
  const child = spawn('python3', argv, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] });
  const [stdout] = await Promise.all([text(child.stdout), new Promise((resolve) => child.once('exit', resolve))]);
  context.skip(child.exitCode === 77, 'this machine gives no keyrings to processes');
  if (kind === 'none') expect(stdout).toContain("b'of the host'");
  else expect(stdout.trim()).toBe('end');
});
