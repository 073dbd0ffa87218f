import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { available } from './support/confinements.ts';
import { withoutProgram } from './support/programs.ts';

const program = path.join(import.meta.dirname, 'support/inherited-descriptors.mjs');
const callsPerScript = 40;

/** Calls that change or read files, reach sockets and processes, or ask for rights, each with arguments of its kind. */
const table = `
libc = ctypes.CDLL(None, use_errno=True)
def late(*_): raise OSError
# A call that waits for somebody is given up.
signal.signal(signal.SIGALRM, late)
def fd(): return r.choice(given + list(range(3, 20)) + [-100])
def name(): return r.choice(['secret', 'target', 'folder/inner', 'new', '../target', 'host.sock', '', '.', '/']).encode()
def place(): return r.choice([where + '/secret', where + '/target', where + '/new', '/etc/passwd', '/skill/own', '/proc/self/fd/%d' % r.choice(given), '/proc/1/root' + where + '/target', '/skill/link/target']).encode()
def number(): return r.choice([0, 1, 2, 0o100, 0o101, 0o102, 0o2, 0o10000, 0o777, 4096, -1, 1 << 20])
def pid(): return r.choice(pids)
def data(): return ctypes.create_string_buffer(b'changed by a script', 4096)
def got(buffer, count): print(buffer.raw[:max(count, 0)])
def read(call, *first):
    buffer = ctypes.create_string_buffer(4096); got(buffer, call(*first, buffer, 4096))
def opened(handle):
    if handle >= 0: given.append(handle)
    return handle
def reach(address):
    s = socket.socket(socket.AF_UNIX); s.settimeout(1); s.connect(address); print(s.recv(99))
def fetch(): s = socket.socket(); s.settimeout(1); s.connect(('127.0.0.1', port)); print(s.recv(99))
calls = [
    lambda: opened(libc.open(place(), number(), 0o666)), lambda: opened(libc.openat(fd(), name(), number(), 0o666)), lambda: opened(libc.dup(fd())),
    lambda: read(libc.read, fd()), lambda: read(libc.pread, fd()), lambda: read(libc.getxattr, place(), b'user.x'), lambda: read(libc.readlinkat, fd(), name()),
    lambda: print(os.listdir(fd())), lambda: print(os.listdir(place())), lambda: print(os.stat(name(), dir_fd=fd())),
    lambda: libc.write(fd(), data(), 19), lambda: libc.pwrite(fd(), data(), 19, 0), lambda: libc.ftruncate(fd(), number()), lambda: libc.truncate(place(), number()),
    lambda: libc.fallocate(fd(), number(), 0, 4096), lambda: libc.sendfile(fd(), fd(), None, 4096), lambda: libc.copy_file_range(fd(), None, fd(), None, 4096, 0), lambda: libc.splice(fd(), None, fd(), None, 4096, 0),
    lambda: libc.unlinkat(fd(), name(), r.choice([0, 512])), lambda: libc.unlink(place()), lambda: libc.renameat(fd(), name(), fd(), name()), lambda: libc.linkat(fd(), name(), fd(), b'linked', r.choice([0, 0x400, 0x1000])),
    lambda: libc.symlinkat(place(), fd(), b'symlink'), lambda: libc.mkdirat(fd(), b'made', 0o777), lambda: libc.mknodat(fd(), b'node', 0o10666, 0), lambda: libc.symlink(where.encode(), b'/skill/link'),
    lambda: libc.fchmod(fd(), 0o777), lambda: libc.fchmodat(fd(), name(), 0o600, 0), lambda: libc.chmod(place(), 0o600), lambda: libc.fchown(fd(), 0, 0), lambda: libc.futimens(fd(), None), lambda: libc.utimensat(fd(), name(), None, 0),
    lambda: libc.setxattr(place(), b'user.x', data(), 4, 0), lambda: libc.fsetxattr(fd(), b'user.x', data(), 4, 0), lambda: libc.flock(fd(), 6), lambda: libc.fcntl(fd(), r.choice([4, 6, 8, 1024, 1033]), number()),
    lambda: libc.fchdir(fd()), lambda: libc.chdir(place()), lambda: libc.chroot(place()), lambda: libc.mount(place(), place(), b'none', 4096, None), lambda: libc.umount2(place(), 2), lambda: libc.unshare(r.choice([0x10000000, 0x20000, 0x40000000])), lambda: libc.setns(fd(), 0),
    lambda: reach(where + '/host.sock'), lambda: reach('/proc/self/fd/%d/host.sock' % r.choice(given)), lambda: reach('\\0' + abstract), lambda: fetch(), lambda: libc.sendto(fd(), data(), 19, 0, None, 0), lambda: libc.shutdown(fd(), 2), lambda: libc.listen(fd(), 5), lambda: print(libc.accept(fd(), None, None)),
    lambda: libc.kill(pid(), r.choice([9, 15, 19])), lambda: libc.setpriority(0, pid(), 19), lambda: libc.sched_setaffinity(pid(), 8, ctypes.byref(ctypes.c_ulong(1))), lambda: libc.prlimit(pid(), 1, ctypes.byref((ctypes.c_ulong * 2)(0, 0)), None), lambda: libc.ptrace(16, pid(), 0, 0),
    lambda: libc.setresuid(0, 0, 0), lambda: libc.setresgid(0, 0, 0), lambda: libc.setgroups(0, None), lambda: libc.prctl(r.choice([4, 38, 22, 36]), 0, 0, 0, 0), lambda: libc.ioctl(fd(), r.choice([0x5412, 0x40086602, 0x40049409]), data()), lambda: opened(libc.memfd_create(b'm', 0)),
]
for _ in range(${callsPerScript}):
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try: r.choice(calls)()
    except OSError: pass
print('end')
`;

/** What stands in a folder: kinds, rights, owners, times and contents. */
function snapshot(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const place = path.join(folder, name);
      const state = lstatSync(place, { bigint: true });
      const content = state.isFile() ? createHash('sha256').update(readFileSync(place)).digest('hex') : '';
      return [name, state.mode, state.uid, state.gid, state.nlink, state.mtimeNs, state.ctimeNs, content].join(' ');
    });
}

describe.each([...available.keys()].filter((kind) => kind !== 'none'))('random system calls, confinement %s', (kind) => {
  it('SRC-10: a script of 40 calls, of a host that inherited descriptors, changes and learns nothing (ATK-276)', async (context) => {
    const python = withoutProgram('python3');
    context.skip(python !== false, String(python));
    const folder = mkdtempSync(path.join(tmpdir(), 'skill-runner-witness-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o777);
    mkdirSync(path.join(folder, 'folder'), { mode: 0o777 });
    for (const name of ['secret', 'target', 'folder/inner']) {
      writeFileSync(path.join(folder, name), `WITNESS ${name}`);
      chmodSync(path.join(folder, name), 0o666);
    }
    const reached: Socket[] = [];
    const abstract = `skill-runner-witness-${process.pid}-${kind}`;
    const servers = [path.join(folder, 'host.sock'), `\0${abstract}`, 0].map((place) => {
      const server = createServer((socket) => void reached.push(socket.end('WITNESS socket')));
      return typeof place === 'number' ? server.listen(place, '127.0.0.1') : server.listen(place);
    });
    onTestFinished(() => servers.forEach((server) => void server.close()));
    await vi.waitUntil(() => servers.every((server) => server.listening));
    chmodSync(path.join(folder, 'host.sock'), 0o777);
    const address = servers[2]?.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const sleeper = spawn('sleep', ['600'], { stdio: 'ignore' });
    onTestFinished(() => void sleeper.kill('SIGKILL'));
    const witness = () => [
      ...snapshot(folder),
      /\) (\S) /.exec(readFileSync(`/proc/${sleeper.pid}/stat`, 'latin1'))?.[1] === 'Z',
      readFileSync(`/proc/${sleeper.pid}/limits`, 'latin1'),
      /^Cpus_allowed:.*$/m.exec(readFileSync(`/proc/${sleeper.pid}/status`, 'latin1'))?.[0],
      reached.length,
    ];
    const before = witness();
    const places = fc.uniqueArray(fc.integer({ min: 20, max: 250 }), { minLength: 3, maxLength: 8 });
    const script = fc.integer({ min: 0, max: 2 ** 31 - 1 });
    await fc.assert(
      fc.asyncProperty(places, fc.array(script, { minLength: 10, maxLength: 10 }), async (given, seeds) => {
        const open = [
          openSync(folder, 'r'),
          openSync('/', 'r'),
          openSync(path.join(folder, 'target'), 'r+'),
          openSync(path.join(folder, 'secret'), 'r'),
        ];
        const stdio: ('ignore' | 'pipe' | number)[] = Array.from({ length: 252 }, () => 'ignore');
        stdio[1] = 'pipe';
        for (const [index, place] of given.entries()) stdio[place] = open[index % open.length] ?? 'ignore';
        const scripts = seeds.map(
          (seed) => `#!/usr/bin/env python3
import ctypes, os, random, signal, socket
r = random.Random(${seed}); given = ${JSON.stringify(given)}; where = ${JSON.stringify(folder)}; abstract = '${abstract}'; port = ${port}; pids = [${sleeper.pid}, ${process.pid}]
${table}`,
        );
        const child = spawn(process.execPath, ['--conditions=@repertoire/source', program, kind, ...scripts], { stdio });
        const told = child.stdout === null ? '' : await text(child.stdout);
        for (const each of open) closeSync(each);
        const results = told
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { stdout: string; holds: readonly string[] });
        expect(results).toHaveLength(seeds.length);
        expect(told).not.toContain('WITNESS');
        for (const { holds } of results)
          expect(holds).toEqual(expect.arrayContaining(['network', 'host-reads', 'host-writes', 'processes']));
        expect(witness()).toEqual(before);
      }),
      { numRuns: propertyRuns(8), seed: 48, endOnFailure: true },
    );
  });
});
