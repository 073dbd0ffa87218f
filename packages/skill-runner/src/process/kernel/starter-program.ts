import { systemCallFilter, type FilteredArchitecture } from './system-call-filter.ts';

/**
 * Builds a small program for Linux that closes the rest of the kernel and then becomes the program
 * of its arguments. Inside the confinement it
 *
 * 1. closes every descriptor above 3 (`close_range`): a process inherits what its host left open,
 *    and the descriptor of a folder leads out of any confinement. 3 is the one on which the start
 *    is told; whoever tells it closes it;
 * 2. joins a new, empty session keyring, since a process inherits the one of its parent; where that
 *    is refused it goes on, because the filter refuses keyrings too;
 * 3. gives up gaining privileges (`PR_SET_NO_NEW_PRIVS`);
 * 4. installs the {@link systemCallFilter};
 * 5. executes its first argument, with the others and its environment.
 *
 * If 1, 3, 4 or 5 fails it ends with 126. Node.js cannot make these calls, and a machine may have
 * no compiler, no Python and an old `setpriv`, so the few instructions stand here. The result is a
 * whole ELF file.
 *
 * @param steps `close`: only 1 and 5, for machines that refuse the filter and for plain processes
 */
export function starterProgram(architecture: FilteredArchitecture, steps: 'all' | 'close' = 'all'): Uint8Array {
  const { machine, begin, close, filtered, start } = programs[architecture];
  const filter = systemCallFilter(architecture);
  const program = Uint8Array.from([begin, ...close[steps], ...(steps === 'all' ? filtered : []), ...start].flat());
  const [headerBytes, pointerBytes] = [120, 16];
  const base = 0x40_00_00n;
  const size = headerBytes + program.length + pointerBytes + filter.length;
  const file = new Uint8Array(size);
  const view = new DataView(file.buffer);

  // The header of the file: 64 bits, little endian, an executable of this machine.
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  view.setUint16(16, 2, true);
  view.setUint16(18, machine, true);
  view.setUint32(20, 1, true);
  view.setBigUint64(24, base + BigInt(headerBytes), true);
  view.setBigUint64(32, 64n, true);
  view.setUint16(52, 64, true);
  view.setUint16(54, 56, true);
  view.setUint16(56, 1, true);
  // Its only segment: the whole file, to be read and executed.
  view.setUint32(64, 1, true);
  view.setUint32(68, 5, true);
  view.setBigUint64(80, base, true);
  view.setBigUint64(88, base, true);
  view.setBigUint64(96, BigInt(size), true);
  view.setBigUint64(104, BigInt(size), true);
  view.setBigUint64(112, 0x1_00_00n, true);

  file.set(program, headerBytes);
  // `struct sock_fprog`, right behind the instructions, which refer to it: length and address.
  const pointer = headerBytes + program.length;
  view.setUint16(pointer, filter.length / 8, true);
  view.setBigUint64(pointer + 8, base + BigInt(pointer + pointerBytes), true);
  file.set(filter, pointer + pointerBytes);
  return file;
}

interface Instructions {
  readonly machine: number;
  readonly begin: readonly number[];
  /** Its last instruction jumps to `fail`, which is farther away where more follows. */
  readonly close: Readonly<Record<'all' | 'close', readonly (readonly number[])[]>>;
  readonly filtered: readonly (readonly number[])[];
  readonly start: readonly (readonly number[])[];
}

const closeX64 = (jump: number): readonly (readonly number[])[] => [
  [0x90], //                               nop                     keeps what follows aligned
  [0xb8, 0xb4, 0x01, 0x00, 0x00], //       mov eax, 436            close_range
  [0xbf, 0x04, 0x00, 0x00, 0x00], //       mov edi, 4              from this descriptor
  [0xbe, 0xff, 0xff, 0xff, 0xff], //       mov esi, -1             to the last one
  [0x31, 0xd2], //                         xor edx, edx
  [0x0f, 0x05], //                         syscall
  [0x85, 0xc0], //                         test eax, eax
  [0x75, jump], //                         jne fail
];
const closeArm64 = (jump: readonly number[]): readonly (readonly number[])[] => [
  [0x88, 0x36, 0x80, 0xd2], //       mov x8, #436            close_range
  [0x80, 0x00, 0x80, 0xd2], //       mov x0, #4              from this descriptor
  [0x01, 0x00, 0x80, 0x12], //       mov w1, #-1             to the last one
  [0x02, 0x00, 0x80, 0xd2], //       mov x2, #0
  [0x01, 0x00, 0x00, 0xd4], //       svc #0
  jump, //                           cbnz x0, fail
];

const programs: Readonly<Record<FilteredArchitecture, Instructions>> = {
  x64: {
    machine: 62,
    begin: [0x48, 0x89, 0xe5], //              mov rbp, rsp
    close: { all: closeX64(0x5c), close: closeX64(0x18) },
    filtered: [
      [0xb8, 0xfa, 0x00, 0x00, 0x00], //       mov eax, 250            keyctl
      [0xbf, 0x01, 0x00, 0x00, 0x00], //       mov edi, 1              KEYCTL_JOIN_SESSION_KEYRING
      [0x31, 0xf6], //                         xor esi, esi
      [0x0f, 0x05], //                         syscall
      [0xb8, 0x9d, 0x00, 0x00, 0x00], //       mov eax, 157            prctl
      [0xbf, 0x26, 0x00, 0x00, 0x00], //       mov edi, 38             PR_SET_NO_NEW_PRIVS
      [0xbe, 0x01, 0x00, 0x00, 0x00], //       mov esi, 1
      [0x31, 0xd2], //                         xor edx, edx
      [0x45, 0x31, 0xd2], //                   xor r10d, r10d
      [0x45, 0x31, 0xc0], //                   xor r8d, r8d
      [0x0f, 0x05], //                         syscall
      [0x85, 0xc0], //                         test eax, eax
      [0x75, 0x31], //                         jne fail
      [0xb8, 0x3d, 0x01, 0x00, 0x00], //       mov eax, 317            seccomp
      [0xbf, 0x01, 0x00, 0x00, 0x00], //       mov edi, 1              SECCOMP_SET_MODE_FILTER
      [0x31, 0xf6], //                         xor esi, esi
      [0x48, 0x8d, 0x15, 0x2f, 0x00, 0x00, 0x00], // lea rdx, [rip + 47]  the filter
      [0x0f, 0x05], //                         syscall
      [0x85, 0xc0], //                         test eax, eax
      [0x75, 0x18], //                         jne fail
    ],
    start: [
      [0x48, 0x8b, 0x4d, 0x00], //             mov rcx, [rbp]          number of arguments
      [0x48, 0x8b, 0x7d, 0x10], //             mov rdi, [rbp + 16]     the program
      [0x48, 0x8d, 0x75, 0x10], //             lea rsi, [rbp + 16]     its arguments
      [0x48, 0x8d, 0x54, 0xcd, 0x10], //       lea rdx, [rbp + rcx * 8 + 16]  the environment
      [0xb8, 0x3b, 0x00, 0x00, 0x00], //       mov eax, 59             execve
      [0x0f, 0x05], //                         syscall
      [0xbf, 0x7e, 0x00, 0x00, 0x00], // fail: mov edi, 126
      [0xb8, 0xe7, 0x00, 0x00, 0x00], //       mov eax, 231            exit_group
      [0x0f, 0x05], //                         syscall
      [0x0f, 0x1f, 0x44, 0x00, 0x00], //       nop
    ],
  },
  arm64: {
    machine: 183,
    begin: [0xf3, 0x03, 0x00, 0x91], //  mov x19, sp
    close: { all: closeArm64([0x20, 0x03, 0x00, 0xb5]), close: closeArm64([0xe0, 0x00, 0x00, 0xb5]) },
    filtered: [
      [0x68, 0x1b, 0x80, 0xd2], //       mov x8, #219            keyctl
      [0x20, 0x00, 0x80, 0xd2], //       mov x0, #1              KEYCTL_JOIN_SESSION_KEYRING
      [0x01, 0x00, 0x80, 0xd2], //       mov x1, #0
      [0x01, 0x00, 0x00, 0xd4], //       svc #0
      [0xe8, 0x14, 0x80, 0xd2], //       mov x8, #167            prctl
      [0xc0, 0x04, 0x80, 0xd2], //       mov x0, #38             PR_SET_NO_NEW_PRIVS
      [0x21, 0x00, 0x80, 0xd2], //       mov x1, #1
      [0x02, 0x00, 0x80, 0xd2], //       mov x2, #0
      [0x03, 0x00, 0x80, 0xd2], //       mov x3, #0
      [0x04, 0x00, 0x80, 0xd2], //       mov x4, #0
      [0x01, 0x00, 0x00, 0xd4], //       svc #0
      [0xa0, 0x01, 0x00, 0xb5], //       cbnz x0, fail
      [0xa8, 0x22, 0x80, 0xd2], //       mov x8, #277            seccomp
      [0x20, 0x00, 0x80, 0xd2], //       mov x0, #1              SECCOMP_SET_MODE_FILTER
      [0x01, 0x00, 0x80, 0xd2], //       mov x1, #0
      [0x82, 0x01, 0x00, 0x10], //       adr x2, . + 48          the filter
      [0x01, 0x00, 0x00, 0xd4], //       svc #0
      [0xe0, 0x00, 0x00, 0xb5], //       cbnz x0, fail
    ],
    start: [
      [0x63, 0x02, 0x40, 0xf9], //       ldr x3, [x19]           number of arguments
      [0x60, 0x0a, 0x40, 0xf9], //       ldr x0, [x19, #16]      the program
      [0x61, 0x42, 0x00, 0x91], //       add x1, x19, #16        its arguments
      [0x22, 0x0c, 0x03, 0x8b], //       add x2, x1, x3, lsl #3  the environment
      [0xa8, 0x1b, 0x80, 0xd2], //       mov x8, #221            execve
      [0x01, 0x00, 0x00, 0xd4], //       svc #0
      [0xc0, 0x0f, 0x80, 0xd2], // fail: mov x0, #126
      [0xc8, 0x0b, 0x80, 0xd2], //       mov x8, #94             exit_group
      [0x01, 0x00, 0x00, 0xd4], //       svc #0
    ],
  },
};
