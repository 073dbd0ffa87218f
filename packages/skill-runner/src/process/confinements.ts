import type { SkillConfinementAspect } from '@repertoire/skills-core/scripts';
import { homedir } from 'node:os';
import path from 'node:path';
import { namespaceScript } from './namespace-script.ts';
import type { WorkingCopy } from './working-copy.ts';

/** The kinds of confinement, the strongest first. */
export type ProcessConfinementKind = 'bubblewrap' | 'namespaces' | 'none';

/** Limits that the kernel holds, for each process. */
export interface ProcessLimits {
  readonly maxProcesses: number;
  readonly maxMemoryBytes: number;
  readonly maxFileBytes: number;
  readonly cpuSeconds: number;
}

/** What a command line is made of. */
export interface ConfinedCommand {
  readonly copy: Pick<WorkingCopy, 'skill' | 'temporary' | 'root'>;
  /** Folder inside the skill to start in. */
  readonly cwd: string;
  /** Paths of the host that may be read, besides the system's. */
  readonly readable: readonly string[];
  readonly limits: ProcessLimits;
  /** Size of the `/tmp` of a confined run. */
  readonly maxTemporaryBytes: number;
  /** The program and its arguments. */
  readonly argv: readonly string[];
}

/** Programs of the system that confine; `null` where one is missing. */
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
  /** Where the script sees the skill's folder, and its temporary folder. */
  readonly skillFolder: (copy: Pick<WorkingCopy, 'skill'>) => string;
  readonly temporaryFolder: (copy: Pick<WorkingCopy, 'temporary'>) => string;
  /** Where the command line itself is started. */
  readonly startIn: (copy: Pick<WorkingCopy, 'skill'>, cwd: string) => string;
  /** The whole command line. */
  readonly argv: (command: ConfinedCommand) => readonly string[];
}

/** Programs, libraries and time zones. No `/etc` as a whole, no home, no `/run`: a read-only bind still lets a script connect to a socket. */
const systemPaths = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc/ld.so.cache', '/etc/alternatives', '/etc/localtime'];

const confined: readonly SkillConfinementAspect[] = ['network', 'host-reads', 'host-writes', 'environment', 'processes'];
const limited: readonly SkillConfinementAspect[] = ['process-count', 'memory', 'file-size'];

/** Says on descriptor 3 that the script is about to start, so that a failure of what confines it is never taken for one of the script. */
const announce = 'printf s >&3; exec 3>&-';
/** Becomes the script. */
const starter = ['/bin/sh', '-c', `${announce}; exec "$@"`, 'sh'];
/** Stays as the first process of its namespace: it collects orphans, and with its end the kernel ends whatever is left, before anyone is told. */
const initStarter = ['/bin/sh', '-c', `${announce}; "$@"; exit $?`, 'sh'];

const words = (text: string): readonly string[] => text.split(' ');

const bubblewrapFlags = words(
  '--unshare-all --unshare-user --die-with-parent --as-pid-1 --new-session --cap-drop ALL --hostname skill --proc /proc --dev /dev',
);
const readOnlyFlags = words('--remount-ro /dev --remount-ro /');
const unshareFlags = words('--user --map-root-user --net --pid --ipc --uts --mount --fork --kill-child=KILL --mount-proc --');
const withoutCapabilities = words('--no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all --');

/** Every way that these tools allow, the strongest first. */
export function confinementsWith(tools: ConfinementTools, stepsDown: boolean): readonly ProcessConfinement[] {
  const { bwrap, unshare, setpriv, prlimit } = tools;
  const ways: ProcessConfinement[] = [];
  const bounds = prlimit === null ? [] : limited;
  const inside = { skillFolder: () => '/skill', temporaryFolder: () => '/tmp', startIn: () => '/', holds: [...confined, ...bounds] };
  const started = (command: ConfinedCommand, start = initStarter, countsProcesses = true): string[] => [
    ...(prlimit === null ? [] : limitArguments(prlimit, command.limits, countsProcesses)),
    ...start,
    ...command.argv,
  ];
  if (bwrap !== null) {
    // `--disable-userns` came with bubblewrap 0.8.
    for (const flags of [['--disable-userns'], []])
      ways.push({ ...inside, kind: 'bubblewrap', argv: (command) => [...bubblewrap(bwrap, command, flags), ...started(command)] });
  }
  if (unshare !== null && setpriv !== null)
    ways.push({ ...inside, kind: 'namespaces', argv: (command) => [...namespaces(unshare, setpriv, command), ...started(command)] });
  // A count of processes is one of all processes of the user, so only a user of its own can have one.
  const plainBounds = bounds.filter((aspect) => aspect !== 'process-count' || stepsDown);
  ways.push({
    kind: 'none',
    holds: stepsDown ? ['environment', ...plainBounds] : plainBounds,
    skillFolder: ({ skill }) => skill,
    temporaryFolder: ({ temporary }) => temporary,
    startIn: ({ skill }, cwd) => path.join(skill, cwd),
    argv: (command) => started(command, starter, stepsDown),
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

function bubblewrap(bwrap: string, { copy, cwd, readable, maxTemporaryBytes }: ConfinedCommand, flags: readonly string[]): string[] {
  const temporary = ['/tmp', '/dev/shm'].flatMap((folder) => ['--size', String(maxTemporaryBytes), '--tmpfs', folder]);
  const programs = [...systemPaths, ...readable].flatMap((host) => ['--ro-bind-try', host, host]);
  const own = ['--bind', copy.skill, '/skill', '--chdir', `/skill/${cwd}`];
  return [bwrap, ...bubblewrapFlags, ...flags, ...temporary, ...programs, ...own, ...readOnlyFlags, '--'];
}

function namespaces(unshare: string, setpriv: string, { copy, cwd, readable, maxTemporaryBytes }: ConfinedCommand): string[] {
  const given = [copy.root, copy.skill, `/skill/${cwd}`, String(maxTemporaryBytes), ...systemPaths, ...readable, '--'];
  return [
    // Without it, all would outlive a host that is killed.
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

/**
 * What has to be readable for a program outside of the system's folders: the folder above its `bin`, else the program alone. A folder that
 * holds the user's home, or is it, is never opened.
 */
export function readablePathOf(program: string): string | null {
  if (systemPaths.some((system) => program.startsWith(`${system}/`))) return null;
  const folder = path.dirname(program);
  const prefix = path.basename(folder) === 'bin' ? path.dirname(folder) : null;
  if (prefix === null || prefix.split('/').length < 3 || `${homedir()}/`.startsWith(`${prefix}/`)) return program;
  return prefix;
}
