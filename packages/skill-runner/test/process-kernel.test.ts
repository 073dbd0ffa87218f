import { starterProgram } from '../src/process/kernel/starter-program.ts';
import { systemCallFilter } from '../src/process/kernel/system-call-filter.ts';
import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { available, folderForCopies, runnerFor } from './support/confinements.ts';
import { withoutProgram } from './support/programs.ts';
import { runFiles } from './support/skill-files.ts';

const copies = await folderForCopies();
const filtered = [...available].filter(([, { holds }]) => holds.includes('system-calls')).map(([kind]) => kind);

/** Numbers from the headers of Linux, for x64 and arm64. A second copy, so that a call that is lost or wrong in `system-call-filter.ts` is noticed. */
const pastTheWalls: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  shmget: [29, 194],
  semget: [64, 190],
  msgget: [68, 186],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  unshare: [272, 97],
  setns: [308, 268],
  clone3: [435, 435],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  quotactl: [179, 60],
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  personality: [135, 92],
  mbind: [237, 235],
  move_pages: [279, 239],
};
const needed: typeof pastTheWalls = {
  read: [0, 63],
  write: [1, 64],
  openat: [257, 56],
  close: [3, 57],
  execve: [59, 221],
  mmap: [9, 222],
  brk: [12, 214],
  futex: [202, 98],
  wait4: [61, 260],
  exit_group: [231, 94],
  kill: [62, 129],
  pipe2: [293, 59],
  getpid: [39, 172],
  getrandom: [318, 278],
  statx: [332, 291],
  prctl: [157, 167],
  epoll_ctl: [233, 21],
  connect: [42, 203],
};

const column = new Map<string, 0 | 1>([
  ['x64', 0],
  ['arm64', 1],
]).get(process.arch);
/** What a script asks the kernel of this machine for, with its numbers. None has a function in Python. */
const withoutFunction = ['add_key', 'keyctl', 'request_key', 'shmget', 'memfd_create', 'bpf', 'userfaultfd', 'ptrace', 'unshare'];
const numbers =
  column === undefined ? undefined : Object.fromEntries(withoutFunction.map((name) => [name, pastTheWalls[name]?.[column]] as const));
const clone = column === 1 ? 220 : 56;

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

const [allowed, noSuchCall] = [0x7f_ff_00_00, 0x00_05_00_26];

/** What the kernel answers to a call when it runs the filter. */
function answerTo(filter: Uint8Array, number: number, audit: number): number {
  const call = new DataView(new ArrayBuffer(64));
  call.setUint32(0, number, true);
  call.setUint32(4, audit, true);
  const view = new DataView(filter.buffer, filter.byteOffset);
  let value = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, operand] = [view.getUint16(at, true), view.getUint32(at + 4, true)];
    if (code === 0x06) return operand;
    if (code === 0x20) {
      value = call.getUint32(operand, true);
      continue;
    }
    const holds = { 0x15: value === operand, 0x25: value > operand, 0x35: value >= operand, 0x45: (value & operand) !== 0 }[code];
    if (holds === undefined) throw new Error(`No such instruction: ${code}.`);
    at += 8 * view.getUint8(at + (holds ? 2 : 3));
  }
  throw new Error('The filter has no answer.');
}

it.each([
  ['x64', 0, 0xc0_00_00_3e],
  ['arm64', 1, 0xc0_00_00_b7],
] as const)(
  'SRC-10: the filter for %s lets through what programs need, and nothing that reaches past the walls',
  (processor, own, audit) => {
    const filter = systemCallFilter(processor);
    const answers = (calls: typeof pastTheWalls, from: number = audit) =>
      Object.entries(calls).map(([name, numbersOf]) => `${name} ${answerTo(filter, numbersOf[own], from)}`);
    expect(answers(pastTheWalls)).toEqual(Object.keys(pastTheWalls).map((name) => `${name} ${noSuchCall}`));
    expect(answers(needed)).toEqual(Object.keys(needed).map((name) => `${name} ${allowed}`));
    // A call of another architecture has other numbers.
    expect(answers(needed, 0x40_00_00_03)).toEqual(Object.keys(needed).map((name) => `${name} ${noSuchCall}`));
  },
);

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
for name, number in ${JSON.stringify(Object.entries(numbers ?? {}))}: call(name, number, 0, 0, 0, 0, 0)
call('io_uring_setup', 425, 1, 0)
call('clone3', 435, 0, 0)
call('the next call', 600, 0)
call('clone with a user namespace', ${clone}, 0x10000000 | 17, 0, 0, 0, 0)
for family, kind, protocol in ((1, 1, 0), (2, 1, 6), (2, 2, 17), (16, 3, 0), (16, 3, 12), (2, 1, 132), (17, 3, 0), (38, 5, 0), (40, 1, 0)):
    try:
        socket.socket(family, kind, protocol); print(family, protocol, 'made')
    except OSError as error:
        print(family, protocol, errno.errorcode[error.errno])`;
    const { stdout, stderr } = await runFiles(runner, { 'x.py': script });
    expect(stderr).toBe('');
    const lines = stdout.trim().split('\n');
    const calls = [...withoutFunction, 'io_uring_setup', 'clone3', 'the next call'];
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
if libc.syscall(${numbers?.['keyctl']}, 1, None) < 0 or libc.syscall(${numbers?.['add_key']}, b'user', b'api-token', b'of the host', 11, -3) < 0: sys.exit(77)
os.execv(sys.argv[1], sys.argv[1:])`;
  const script = `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(4096)
n = libc.syscall(${numbers?.['keyctl']}, 11, -3, buffer, 4096)
for at in range(0, max(n, 0), 4):
  size = libc.syscall(${numbers?.['keyctl']}, 11, int.from_bytes(buffer.raw[at:at + 4], 'little', signed=True), buffer, 4096)
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
