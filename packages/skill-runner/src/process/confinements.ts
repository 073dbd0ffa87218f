import type { SkillConfinementAspect } from '@repertoire/skills-core/internal';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { starterProgram } from './kernel/starter-program.ts';
import { isFilteredArchitecture } from './kernel/system-call-filter.ts';
import { namespaceScript } from './namespace-script.ts';
import { systemPaths } from './readable-paths.ts';
import type { WorkingCopy } from './working-copy.ts';

/** The kinds of confinement, the strongest first. */
export type ProcessConfinementKind = 'bubblewrap' | 'namespaces' | 'none';

/** Limits that the kernel enforces, for each process. */
export interface ProcessLimits {
  readonly maxProcesses: number;
  readonly maxMemoryBytes: number;
  readonly maxFileBytes: number;
  readonly cpuSeconds: number;
}

export interface ConfinedCommand {
  readonly copy: Pick<WorkingCopy, 'skill' | 'temporary' | 'root'>;
  /** Folder in which the command starts: inside the skill, or an absolute one that is readable. */
  readonly cwd: string;
  /** Paths of the host that may be read, in addition to those of the system. */
  readonly readable: readonly string[];
  readonly limits: ProcessLimits;
  /** Size of the `/tmp` of a confined run. */
  readonly maxTemporaryBytes: number;
  readonly argv: readonly string[];
}

/** System programs for confinement; `null` if one is missing. */
export interface ConfinementTools {
  readonly bwrap: string | null;
  readonly unshare: string | null;
  readonly setpriv: string | null;
  readonly prlimit: string | null;
}

/** One way to run a command. */
export interface ProcessConfinement {
  readonly kind: ProcessConfinementKind;
  readonly holds: readonly SkillConfinementAspect[];
  /** Path of the skill's folder as the script sees it. */
  readonly skillFolder: (copy: Pick<WorkingCopy, 'skill'>) => string;
  readonly temporaryFolder: (copy: Pick<WorkingCopy, 'temporary'>) => string;
  /** Working directory of the command line itself. */
  readonly startIn: (copy: Pick<WorkingCopy, 'skill'>, cwd: string) => string;
  /** A program for {@link starterProgram}, which the command line reads from descriptor 4. */
  readonly starter: Uint8Array | null;
  readonly argv: (command: ConfinedCommand) => readonly string[];
}

const confined: readonly SkillConfinementAspect[] = ['network', 'host-reads', 'host-writes', 'environment', 'processes'];
const throughDescriptors: ReadonlySet<SkillConfinementAspect> = new Set(['network', 'host-reads', 'host-writes']);
const limited: readonly SkillConfinementAspect[] = ['process-count', 'file-size'];

/** Where a confined run finds the {@link starterProgram}. */
const starterPath = '/start';

/** Tells on descriptor 3 that the script starts: what failed before was the confinement. */
const announce = 'printf s >&3; exec 3>&-';
/** Replaces itself with the script. */
const starter = ['/bin/sh', '-c', `${announce}; exec "$@"`, 'sh'];
/** Writes the program of descriptor 4 to a file, and becomes it. */
const writtenStarter = ['/bin/sh', '-c', 'cat <&4 >"$1" && exec 4<&- && chmod 500 "$1" && exec "$@"', 'sh'];
/** The first process of its namespace: when it ends, the kernel kills all remaining ones. */
const initStarter = ['/bin/sh', '-c', `${announce}; "$@"; exit $?`, 'sh'];

const words = (text: string): readonly string[] => text.split(' ');

const bubblewrapFlags = words(
  '--unshare-all --unshare-user --die-with-parent --as-pid-1 --new-session --cap-drop ALL --hostname skill --proc /proc --dev /dev',
);
const readOnlyFlags = words('--remount-ro /dev --remount-ro /');
const unshareFlags = words('--user --map-root-user --net --pid --ipc --uts --mount --fork --kill-child=KILL --mount-proc --');
const withoutCapabilities = words('--no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all --');

/** The list of keys that a process sees, which is the only way to them that is no system call. */
const hiddenKeys: readonly string[] = ['/proc/keys', '/proc/key-users']
  .filter((file) => existsSync(file))
  .flatMap((file) => ['--ro-bind', '/dev/null', file]);

/** All confinements that these tools allow, strongest first. */
export function confinementsWith(tools: ConfinementTools, stepsDown: boolean): readonly ProcessConfinement[] {
  const { bwrap, unshare, setpriv, prlimit } = tools;
  const ways: ProcessConfinement[] = [];
  const bounds = prlimit === null ? [] : limited;
  const limitsOf = (command: ConfinedCommand, countsProcesses = true): readonly string[] =>
    prlimit === null ? [] : limitArguments(prlimit, command.limits, countsProcesses);
  const starters = isFilteredArchitecture(process.arch)
    ? [starterProgram(process.arch), starterProgram(process.arch, 'close'), null]
    : [null];
  for (const [index, program] of starters.entries()) {
    const isFiltered = program !== null && index === 0;
    const filtered: readonly SkillConfinementAspect[] = isFiltered ? ['system-calls'] : [];
    // Without the filter, shared segments hold memory that no limit of a process counts.
    const memory: readonly SkillConfinementAspect[] = isFiltered && prlimit !== null ? ['memory'] : [];
    // A descriptor that the host left open leads to its files, folders and sockets.
    const kept = program === null ? confined.filter((aspect) => !throughDescriptors.has(aspect)) : confined;
    const inside = {
      skillFolder: () => '/skill',
      temporaryFolder: () => '/tmp',
      startIn: () => '/',
      starter: program,
      holds: [...kept, ...filtered, ...bounds, ...memory],
    };
    const started = (command: ConfinedCommand): readonly string[] => [
      ...(program === null ? [] : [starterPath]),
      ...limitsOf(command),
      ...initStarter,
      ...command.argv,
    ];
    if (bwrap !== null) {
      // `--disable-userns` came with bubblewrap 0.8.
      for (const flags of [['--disable-userns'], []])
        ways.push({
          ...inside,
          kind: 'bubblewrap',
          argv: (command) => [...bubblewrap(bwrap, command, flags, program !== null), ...started(command)],
        });
    }
    if (unshare !== null && setpriv !== null)
      ways.push({
        ...inside,
        kind: 'namespaces',
        argv: (command) => [...namespaces(unshare, setpriv, command, program !== null), ...started(command)],
      });
  }
  // The kernel counts all processes of a user, so this limit is only possible for a separate user.
  const plainBounds = bounds.filter((aspect) => aspect !== 'process-count' || stepsDown);
  const closer = process.platform === 'linux' && isFilteredArchitecture(process.arch) ? starterProgram(process.arch, 'close') : null;
  ways.push({
    kind: 'none',
    holds: stepsDown ? ['environment', 'processes', ...plainBounds] : plainBounds,
    skillFolder: ({ skill }) => skill,
    temporaryFolder: ({ temporary }) => temporary,
    startIn: ({ skill }, cwd) => path.resolve(skill, cwd),
    starter: closer,
    argv: (command) => [
      ...(closer === null ? [] : [...writtenStarter, path.join(command.copy.root, 'start')]),
      ...limitsOf(command, stepsDown),
      ...starter,
      ...command.argv,
    ],
  });
  return ways;
}

function limitArguments(prlimit: string, limits: ProcessLimits, countsProcesses: boolean): string[] {
  return [
    prlimit,
    ...(countsProcesses ? [`--nproc=${limits.maxProcesses}`] : []),
    '--nofile=256',
    `--fsize=${limits.maxFileBytes}`,
    `--as=${limits.maxMemoryBytes}`,
    `--cpu=${limits.cpuSeconds}`,
    '--core=0',
    '--',
  ];
}

function bubblewrap(
  bwrap: string,
  { copy, cwd, readable, maxTemporaryBytes }: ConfinedCommand,
  flags: readonly string[],
  hasStarter: boolean,
): string[] {
  const temporary = ['/tmp', '/dev/shm'].flatMap((folder) => ['--size', String(maxTemporaryBytes), '--tmpfs', folder]);
  const programs = [...systemPaths, ...readable].flatMap((host) => ['--ro-bind-try', host, host]);
  const start = hasStarter ? ['--perms', '0555', '--file', '4', starterPath] : [];
  const own = ['--bind', copy.skill, '/skill', '--chdir', path.posix.resolve('/skill', cwd)];
  return [bwrap, ...bubblewrapFlags, ...flags, ...hiddenKeys, ...temporary, ...programs, ...start, ...own, ...readOnlyFlags, '--'];
}

function namespaces(
  unshare: string,
  setpriv: string,
  { copy, cwd, readable, maxTemporaryBytes }: ConfinedCommand,
  hasStarter: boolean,
): string[] {
  const start = hasStarter ? starterPath : '';
  const given = [
    copy.root,
    copy.skill,
    path.posix.resolve('/skill', cwd),
    String(maxTemporaryBytes),
    start,
    ...systemPaths,
    ...readable,
    '--',
  ];
  return [
    // Otherwise all processes would survive if the host is killed.
    setpriv,
    '--pdeathsig',
    'KILL',
    '--',
    unshare,
    ...unshareFlags,
    '/bin/sh',
    '-c',
    namespaceScript,
    'sh',
    ...given,
    setpriv,
    ...withoutCapabilities,
  ];
}
