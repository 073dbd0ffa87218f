/** Processors for which there is a filter, by the names of `process.arch`. */
export type FilteredArchitecture = 'x64' | 'arm64';

/**
 * System calls that a script cannot use: `[x64, arm64]`, `null` where a processor has none. They
 * reach what no namespace separates, such as the keyrings of the host, or take memory that no limit
 * counts, or are large parts of the kernel that scripts do not need.
 */
const refused: Readonly<Record<string, readonly [x64: number | null, arm64: number | null]>> = {
  // Keyrings of the host.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Memory that stays without a process that has mapped it.
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  shmdt: [67, 197],
  semget: [64, 190],
  semop: [65, 193],
  semctl: [66, 191],
  semtimedop: [220, 192],
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  // Large interfaces.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_setup: [206, 0],
  io_destroy: [207, 1],
  io_getevents: [208, 4],
  io_submit: [209, 2],
  io_cancel: [210, 3],
  io_pgetevents: [333, 292],
  vmsplice: [278, 75],
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  // Namespaces and mounts. `clone3` hides its arguments; programs then use `clone`.
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
  statmount: [457, 457],
  listmount: [458, 458],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  lookup_dcookie: [212, 18],
  // The machine.
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  iopl: [172, null],
  ioperm: [173, null],
  create_module: [174, null],
  init_module: [175, 105],
  delete_module: [176, 106],
  get_kernel_syms: [177, null],
  query_module: [178, null],
  nfsservctl: [180, 42],
  finit_module: [313, 273],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  syslog: [103, 116],
  settimeofday: [164, 170],
  adjtimex: [159, 171],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  vhangup: [153, 58],
  uselib: [134, null],
  personality: [135, 92],
  sysfs: [139, null],
  modify_ldt: [154, null],
  _sysctl: [156, null],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  set_mempolicy_home_node: [450, 450],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
};

interface Machine {
  /** `AUDIT_ARCH_…` of the kernel. */
  readonly audit: number;
  /** Where its numbers stand in {@link refused}. */
  readonly column: 0 | 1;
  /** Numbers of system calls that were looked through. Whatever is not among them is refused. */
  readonly known: readonly (readonly [first: number, last: number])[];
  readonly ioctl: number;
  readonly clone: number;
  readonly socket: number;
  readonly socketpair: number;
}

const machines: Readonly<Record<FilteredArchitecture, Machine>> = {
  x64: {
    audit: 0xc0_00_00_3e,
    column: 0,
    known: [
      [0, 334],
      [424, 466],
    ],
    ioctl: 16,
    clone: 56,
    socket: 41,
    socketpair: 53,
  },
  arm64: {
    audit: 0xc0_00_00_b7,
    column: 1,
    known: [
      [0, 293],
      [424, 466],
    ],
    ioctl: 29,
    clone: 220,
    socket: 198,
    socketpair: 199,
  },
};

const [load, equal, notBelow, above, anyBit, answer] = [0x20, 0x15, 0x35, 0x25, 0x45, 0x06];
const allow = 0x7f_ff_00_00;
const error = (number: number): number => 0x00_05_00_00 | number;
const [notPermitted, notSupported, noSuchCall] = [1, 97, 38];
const [numberAt, architectureAt] = [0, 4];
/** The lower half of an argument: the kernel reads these as 32 bits. */
const argumentAt = (index: number): number => 16 + 8 * index;

const newNamespaces = 0x7e_02_00_00;
const [unix, internet, internet6, netlink] = [1, 2, 10, 16];
const [tcp, udp] = [6, 17];
/** Both put characters into the input of a terminal. */
const [pushInput, linuxConsole] = [0x54_12, 0x54_1c];

/** Whether there is a filter for a processor. */
export function isFilteredArchitecture(architecture: string): architecture is FilteredArchitecture {
  return architecture in machines;
}

/**
 * Builds a program for seccomp, in the kernel's classic BPF: it allows the system calls that were
 * looked through and are not refused. What the kernel gets later, calls of another architecture
 * included, answers as if the kernel did not have it (`ENOSYS`), and libraries then use what they
 * used before.
 */
export function systemCallFilter(architecture: FilteredArchitecture): Uint8Array {
  const machine = machines[architecture];
  const code = new FilterCode();
  code.add(load, architectureAt);
  code.add(equal, machine.audit, 1, 0);
  code.add(answer, error(noSuchCall));
  code.add(load, numberAt);
  code.when(machine.clone, (then) => {
    then.add(load, argumentAt(0));
    then.add(anyBit, newNamespaces, 0, 1);
    then.add(answer, error(notPermitted));
    then.add(answer, allow);
  });
  code.when(machine.ioctl, (then) => {
    then.add(load, argumentAt(1));
    then.add(equal, pushInput, 1, 0);
    then.add(equal, linuxConsole, 0, 1);
    then.add(answer, error(notPermitted));
    then.add(answer, allow);
  });
  code.when(machine.socketpair, (then) => {
    then.add(load, argumentAt(0));
    then.add(equal, unix, 1, 0);
    then.add(answer, error(notSupported));
    then.add(answer, allow);
  });
  // Other families and protocols may load kernel modules, or need no network (AF_VSOCK).
  code.when(machine.socket, (then) => {
    then.add(load, argumentAt(0));
    then.when(unix, (only) => only.add(answer, allow));
    then.add(equal, internet, 6, 0);
    then.add(equal, internet6, 5, 0);
    then.add(equal, netlink, 1, 0);
    then.add(answer, error(notSupported));
    then.add(load, argumentAt(2));
    then.add(equal, 0, 5, 0);
    then.add(answer, error(notSupported));
    then.add(load, argumentAt(2));
    then.add(equal, 0, 2, 0);
    then.add(equal, tcp, 1, 0);
    then.add(equal, udp, 0, 1);
    then.add(answer, allow);
    then.add(answer, error(notSupported));
  });
  for (const [first, last] of allowedRanges(machine)) {
    code.add(notBelow, first, 1, 0);
    code.add(answer, error(noSuchCall));
    code.add(above, last, 1, 0);
    code.add(answer, allow);
  }
  code.add(answer, error(noSuchCall));
  return code.bytes();
}

function allowedRanges({ known, column }: Machine): readonly (readonly [first: number, last: number])[] {
  const not = new Set(Object.values(refused).map((numbers) => numbers[column]));
  const ranges: [number, number][] = [];
  for (const [first, last] of known) {
    for (let number = first; number <= last; number += 1) {
      if (not.has(number)) continue;
      const range = ranges.at(-1);
      if (range !== undefined && range[1] === number - 1) range[1] = number;
      else ranges.push([number, number]);
    }
  }
  return ranges;
}

/** Instructions of `struct sock_filter`: code, jumps, operand. */
class FilterCode {
  readonly #instructions: (readonly [code: number, ifTrue: number, ifFalse: number, operand: number])[] = [];

  add(code: number, operand: number, ifTrue = 0, ifFalse = 0): void {
    this.#instructions.push([code, ifTrue, ifFalse, operand]);
  }

  /** Instructions for one value of what was loaded. They must end with an answer. */
  when(value: number, build: (then: FilterCode) => void): void {
    const then = new FilterCode();
    build(then);
    this.add(equal, value, 0, then.#instructions.length);
    this.#instructions.push(...then.#instructions);
  }

  bytes(): Uint8Array {
    const view = new DataView(new ArrayBuffer(8 * this.#instructions.length));
    for (const [index, [code, ifTrue, ifFalse, operand]] of this.#instructions.entries()) {
      view.setUint16(8 * index, code, true);
      view.setUint8(8 * index + 2, ifTrue);
      view.setUint8(8 * index + 3, ifFalse);
      view.setUint32(8 * index + 4, operand, true);
    }
    return new Uint8Array(view.buffer);
  }
}
