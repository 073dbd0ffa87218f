import type { SkillConfinementAspect } from '@repertoire/skills-core/internal';
import { readFileSync } from 'node:fs';
import type { ProcessConfinementKind, ProcessLimits } from './confinements.ts';
import { isRunUser } from './run-user.ts';

/**
 * Writes to descriptor 3 what the process that becomes the script has: its descriptors and number,
 * its rights, limits, mounts and network. Then it waits for a word of the host, and closes the
 * descriptor.
 */
export const measure: string =
  'echo fd /proc/self/fd/* >&3; echo "pid $$" >&3; ' +
  'cat /proc/self/status /proc/self/limits /proc/self/mountinfo /proc/self/net/dev >&3 2>&-; ' +
  'echo measured >&3; read -r go <&3 || exit 125; exec 3>&-';

/** What a run is compared with. */
export interface Expected {
  readonly kind: ProcessConfinementKind;
  /** Paths of the host that it may read. */
  readonly readable: readonly string[];
  readonly limits: ProcessLimits;
}

/** Without these, a process is not confined. */
const walls: readonly SkillConfinementAspect[] = ['network', 'host-reads', 'host-writes', 'environment', 'processes'];

/** Places of a confined run where it may write. */
const ownPlaces: ReadonlySet<string> = new Set(['/skill', '/tmp', '/dev/shm']);
/** Mounts that are no files of a disk: processes, terminals and single devices. */
const isDevice = ({ place, type }: Mount): boolean =>
  type === 'proc' || type === 'devpts' || /^\/dev\/(?:null|zero|full|random|urandom|tty|console)$|^\/proc\/(?:keys|key-users)$/.test(place);

/**
 * What a run holds, from what its first process measured of itself: never from what it was started
 * with. The order is that of the type.
 */
export function measuredHolds(report: string, { kind, readable, limits }: Expected): readonly SkillConfinementAspect[] {
  const value = (name: string): string => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(report)?.[1] ?? '';
  const atMost = (name: string, most: number): boolean => {
    const hard = new RegExp(`^Max ${name}\\s+\\S+\\s+(\\d+)\\s`, 'm').exec(report)?.[1];
    return hard !== undefined && Number(hard) <= most;
  };
  const isFiltered = value('Seccomp') === '2' && Number(value('Seccomp_filters') || 1) > hostFilters();
  const uid = Number(value('Uid').split('\t')[0] || process.getuid?.());
  const isOtherUser = uid !== process.getuid?.() && isRunUser(uid);
  const limited = [
    isFiltered && 'system-calls',
    (kind !== 'none' || isOtherUser) && atMost('processes', limits.maxProcesses) && 'process-count',
    // Without the filter, shared segments hold memory that no limit of a process counts.
    isFiltered && atMost('address space', limits.maxMemoryBytes) && 'memory',
    atMost('file size', limits.maxFileBytes) && 'file-size',
  ] as const;
  if (kind === 'none') return held([isOtherUser && 'environment', isOtherUser && 'processes', ...limited]);

  const mounts = mountsOf(report);
  const isPowerless = value('NoNewPrivs') === '1' && ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].every((name) => /^0+$/.test(value(name)));
  // A descriptor that the host left open leads to its files, folders and sockets.
  const isClosed = isPowerless && hasOwnDescriptors(report);
  const isFirst = /^pid 1$/m.test(report);
  const root = mounts.find(({ place }) => place === '/');
  const [own, others] = [mounts.filter(({ place }) => ownPlaces.has(place)), mounts.filter(({ place }) => !ownPlaces.has(place))];
  const ofHost = others.filter((mount) => !isDevice(mount) && mount.place !== '/' && mount.place !== '/dev');
  const isShown = ({ place }: Mount): boolean =>
    readable.some((path) => place === path || place.startsWith(`${path}/`)) || place === '/start';
  return held([
    isClosed && hasFreshNetwork(report) && 'network',
    isClosed && root?.type === 'tmpfs' && ofHost.every(isShown) && 'host-reads',
    isClosed && mounts.length > 0 && others.every((mount) => mount.isReadOnly || isDevice(mount)) && 'host-writes',
    isFirst && isPowerless && 'environment',
    isFirst && isPowerless && 'processes',
    ...limited,
    own.length === ownPlaces.size && own.every(({ options }) => /\bsize=/.test(options) && /\bnr_inodes=/.test(options)) && 'disk',
  ]);
}

/** Returns the walls that a confined run does not have. */
export function missingWalls(kind: ProcessConfinementKind, holds: readonly SkillConfinementAspect[]): readonly SkillConfinementAspect[] {
  return kind === 'none' ? [] : walls.filter((wall) => !holds.includes(wall));
}

function held(aspects: readonly (SkillConfinementAspect | false | undefined)[]): readonly SkillConfinementAspect[] {
  return aspects.filter((aspect) => aspect !== false && aspect !== undefined);
}

interface Mount {
  readonly place: string;
  readonly isReadOnly: boolean;
  readonly type: string;
  /** Of the file system. */
  readonly options: string;
}

function mountsOf(report: string): readonly Mount[] {
  return report.split('\n').flatMap((line) => {
    // As `mountinfo` of proc(5) has it: two lists of words.
    const [mount = '', system] = line.split(' - ');
    const [, , numbers = '', , place = '', own = ''] = mount.split(' ');
    if (system === undefined || !/^\d+:\d+$/.test(numbers)) return [];
    const [type = '', , options = ''] = system.split(' ');
    return {
      place: place.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
      isReadOnly: own.split(',').includes('ro') || options.split(',').includes('ro'),
      type,
      options,
    };
  });
}

/** Standard input and outputs, the one of the report, and the folder that is just being listed. */
function hasOwnDescriptors(report: string): boolean {
  const open = [...(/^fd (.*)$/m.exec(report)?.[1] ?? '').matchAll(/\/(\d+)(?= |$)/g)].map(([, number]) => Number(number));
  return open.length > 0 && open.every((number) => number <= 4);
}

/** Whether the only network device is a loopback device without any traffic. */
function hasFreshNetwork(report: string): boolean {
  const devices = report.split('\n').flatMap((line) => {
    const [name = '', ...counts] = line.trim().split(/:? +/);
    return counts.length === 16 && counts.every((count) => /^\d+$/.test(count))
      ? { name, isUnused: counts.every((count) => count === '0') }
      : [];
  });
  return devices.length > 0 && devices.every(({ name, isUnused }) => name === 'lo' && isUnused);
}

/** Counts the filters of this process, which its children inherit: a container sets some. */
function hostFilters(): number {
  try {
    const status = readFileSync('/proc/self/status', 'latin1');
    return Number(/^Seccomp_filters:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
