import { existsSync } from 'node:fs';
import path from 'node:path';
import { starterProgram } from './kernel/starter-program.ts';
import { isFilteredArchitecture } from './kernel/system-call-filter.ts';
import { measure } from './measured-holds.ts';
import { diskScript, namespaceScript } from './namespace-script.ts';
import { systemPaths } from './readable-paths.ts';
import type { WorkingCopy } from './working-copy.ts';

/** The kinds of confinement, the strongest first. */
export type ProcessConfinementKind = 'bubblewrap' | 'namespaces' | 'none';

/** Limits that the kernel enforces. All but the last two are those of each process. */
export interface ProcessLimits {
  readonly maxProcesses: number;
  readonly maxMemoryBytes: number;
  readonly maxFileBytes: number;
  readonly cpuSeconds: number;
  /** Of the file system of a run. */
  readonly maxFolderBytes: number;
  readonly maxFolderEntries: number;
}

export interface ConfinedCommand {
  readonly copy: Pick<WorkingCopy, 'base' | 'skill' | 'root'>;
  /** Folder in which the command starts: inside the skill, or an absolute one that is readable. */
  readonly cwd: string;
  /** Paths of the host that may be read, in addition to those of the system. */
  readonly readable: readonly string[];
  /** Files below these that show the file `covering` of the copy instead. */
  readonly covered?: readonly string[] | undefined;
  readonly limits: ProcessLimits;
  readonly argv: readonly string[];
}

/** System programs for confinement; `null` if one is missing. */
export interface ConfinementTools {
  readonly bwrap: string | null;
  readonly unshare: string | null;
  readonly setpriv: string | null;
}

/** One way to run a command. */
export interface ProcessConfinement {
  readonly kind: ProcessConfinementKind;
  /** Path of the skill's folder as the script sees it. */
  readonly skillFolder: (copy: Pick<WorkingCopy, 'skill'>) => string;
  readonly temporaryFolder: (copy: Pick<WorkingCopy, 'temporary'>) => string;
  /** Working directory of the command line itself. */
  readonly startIn: (copy: Pick<WorkingCopy, 'skill'>, cwd: string) => string;
  /**
   * Where the first process of a run sees the skill's folder on a file system of its own; `null`
   * where the run changes the copy itself.
   */
  readonly ownDisk: ((copy: Pick<WorkingCopy, 'root'>) => string) | null;
  /** A program for {@link starterProgram}, which the command line reads from descriptor 4. */
  readonly starter: Uint8Array | null;
  readonly argv: (command: ConfinedCommand) => readonly string[];
}

/** Where a confined run finds the {@link starterProgram}. */
const starterPath = '/start';

/** Says what it has, waits for the host, and replaces itself with the script. */
const starter = (limits: ProcessLimits, countsProcesses: boolean): readonly string[] => [
  '/bin/sh',
  '-c',
  `${limit(limits, countsProcesses)}; ${measure}; exec "$@"`,
  'sh',
];
/** Writes the program of descriptor 4 to a file, and becomes it. */
const writtenStarter = ['/bin/sh', '-c', 'cat <&4 >"$1" && exec 4<&- && chmod 500 "$1" && exec "$@"', 'sh'];
/** The first process of its namespace: when it ends, the kernel kills all remaining ones. */
const initStarter = (limits: ProcessLimits): readonly string[] => [
  '/bin/sh',
  '-c',
  `${limit(limits, true)}; ${measure}; "$@"; exit $?`,
  'sh',
];

/**
 * Limits of each process, set by the shell. What a machine refuses is missing in what is measured.
 * `ulimit -p` is `-u` in Bash.
 */
function limit({ maxProcesses, maxFileBytes, maxMemoryBytes, cpuSeconds }: ProcessLimits, countsProcesses: boolean): string {
  const limits = [
    '-n 256',
    `-f ${Math.floor(maxFileBytes / 512)}`,
    `-v ${Math.floor(maxMemoryBytes / 1_024)}`,
    `-t ${cpuSeconds}`,
    '-c 0',
    ...(countsProcesses ? [`-p ${maxProcesses} 2>&- || ulimit -u ${maxProcesses}`] : []),
  ];
  return limits.map((each) => `ulimit ${each} 2>&-`).join('; ');
}

const words = (text: string): readonly string[] => text.split(' ');

/** The user of the script has no name, and is not root inside either. */
const bubblewrapFlags = words(
  '--unshare-all --unshare-user --uid 1000 --gid 1000 --die-with-parent --as-pid-1 --new-session --cap-drop ALL --hostname skill --proc /proc --dev /dev',
);
const readOnlyFlags = words('--remount-ro /dev --remount-ro /');
const newUserFlags = words('--user --map-root-user --mount --');
const unshareFlags = words('--user --map-root-user --net --pid --ipc --uts --mount --fork --kill-child=KILL --mount-proc --');
const withoutCapabilities = words('--no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all --');

/** The list of keys that a process sees, which is the only way to them that is no system call. */
const hiddenKeys: readonly string[] = ['/proc/keys', '/proc/key-users']
  .filter((file) => existsSync(file))
  .flatMap((file) => ['--ro-bind', '/dev/null', file]);

/**
 * All ways to run a command with these tools, the best first. Each is tried, and what it holds is
 * measured.
 *
 * @param stepsDown whether each run has a user of its own
 */
export function confinementsWith(tools: ConfinementTools, stepsDown: boolean): readonly ProcessConfinement[] {
  const { bwrap, unshare, setpriv } = tools;
  const architecture = isFilteredArchitecture(process.arch) ? process.arch : null;
  const starters = architecture === null ? [null] : [starterProgram(architecture), starterProgram(architecture, 'close'), null];
  const ways: ProcessConfinement[] = [];
  for (const program of starters) {
    const inside = { skillFolder: () => '/skill', temporaryFolder: () => '/tmp', startIn: () => '/', starter: program };
    const started = ({ limits, argv }: ConfinedCommand): readonly string[] => [
      ...(program === null ? [] : [starterPath]),
      ...initStarter(limits),
      ...argv,
    ];
    for (const hasDisk of [true, false]) {
      // `--disable-userns` came with bubblewrap 0.8.
      for (const flags of [['--disable-userns'], []]) {
        if (bwrap === null || (hasDisk && unshare === null)) continue;
        const own = unshare === null || !hasDisk ? [] : [unshare, ...newUserFlags, '/bin/sh', '-c', diskScript, 'sh'];
        ways.push({
          ...inside,
          kind: 'bubblewrap',
          ownDisk: hasDisk ? ({ root }) => `${root}/skill` : null,
          argv: (command) => [
            ...(hasDisk ? [...own, ...diskArguments(command)] : []),
            ...bubblewrap(bwrap, command, flags, program !== null, hasDisk),
            ...started(command),
          ],
        });
      }
      if (unshare === null || setpriv === null) continue;
      ways.push({
        ...inside,
        kind: 'namespaces',
        ownDisk: hasDisk ? () => '/skill' : null,
        argv: (command) => [...namespaces(unshare, setpriv, command, program !== null, hasDisk), ...started(command)],
      });
    }
  }
  const closer = process.platform === 'linux' && architecture !== null ? starterProgram(architecture, 'close') : null;
  for (const program of closer === null ? [null] : [closer, null])
    ways.push({
      kind: 'none',
      skillFolder: ({ skill }) => skill,
      temporaryFolder: ({ temporary }) => temporary,
      startIn: ({ skill }, cwd) => path.resolve(skill, cwd),
      ownDisk: null,
      starter: program,
      argv: (command) => [
        ...(program === null ? [] : [...writtenStarter, path.join(command.copy.root, 'start')]),
        // The kernel counts all processes of a user, so this limit is only possible for a separate
        // user.
        ...starter(command.limits, stepsDown),
        ...command.argv,
      ],
    });
  return ways;
}

/**
 * Returns the sizes of a run's file system: a little more than the limits, so that exceeding them
 * shows.
 */
function diskArguments({ copy, limits }: ConfinedCommand): readonly string[] {
  return [copy.root, copy.base, String(limits.maxFolderBytes + 65_536), String(limits.maxFolderEntries + 64)];
}

function bubblewrap(
  bwrap: string,
  { copy, cwd, readable, covered = [], limits }: ConfinedCommand,
  flags: readonly string[],
  hasStarter: boolean,
  hasDisk: boolean,
): readonly string[] {
  const temporary = hasDisk
    ? ['--bind', `${copy.root}/tmp`, '/tmp', '--bind', `${copy.root}/shm`, '/dev/shm']
    : ['/tmp', '/dev/shm'].flatMap((folder) => ['--size', String(limits.maxFolderBytes), '--tmpfs', folder]);
  const programs = [
    ...[...systemPaths, ...readable].flatMap((host) => ['--ro-bind-try', host, host]),
    ...covered.flatMap((file) => ['--ro-bind', path.join(copy.base, 'covering'), file]),
  ];
  const start = hasStarter ? ['--perms', '0555', '--file', '4', starterPath] : [];
  const own = ['--bind', hasDisk ? `${copy.root}/skill` : copy.skill, '/skill', '--chdir', path.posix.resolve('/skill', cwd)];
  return [bwrap, ...bubblewrapFlags, ...flags, ...hiddenKeys, ...temporary, ...programs, ...start, ...own, ...readOnlyFlags, '--'];
}

function namespaces(unshare: string, setpriv: string, command: ConfinedCommand, hasStarter: boolean, hasDisk: boolean): readonly string[] {
  const given = [
    ...diskArguments(command),
    hasDisk ? '' : 'shared',
    path.posix.resolve('/skill', command.cwd),
    hasStarter ? starterPath : '',
    ...systemPaths,
    ...command.readable,
    '--',
    ...(command.covered ?? []),
    '--',
  ];
  // Otherwise all processes would survive if the host is killed.
  const bound = [setpriv, '--pdeathsig', 'KILL', '--', unshare, ...unshareFlags];
  return [...bound, '/bin/sh', '-c', namespaceScript, 'sh', ...given, setpriv, ...withoutCapabilities];
}
