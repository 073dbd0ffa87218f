import { SkillError } from '@repertoire/skills-core';
import { confinementsWith, type ProcessConfinement } from './confinements.ts';
import { findPrograms, realProgram } from './find-program.ts';
import type { ScriptInterpreter } from './interpreters.ts';
import type { ProcessSettings } from './process-runner-options.ts';
import { readablePathsOf } from './readable-paths.ts';
import { removeAbandoned } from './remove-copy.ts';
import { takeRunUser, type RunUser } from './run-user.ts';
import { runConfined } from './run-confined.ts';
import { makeWorkingCopy, removeUntouched } from './working-copy.ts';

/** An interpreter that works here. */
export interface UsableInterpreter {
  readonly command: string;
  readonly arguments: readonly string[];
  /** Paths that it needs besides the system's. */
  readonly readable: readonly string[];
}

/** Long for a busy machine: a slow confinement is not a missing one. */
const probeTimeoutMs = 10_000;
const maxProbeBytes = 65_536;

/** How long plain processes are used before a confinement is tried again. */
const retryAfterMs = 60_000;

/** What this machine supports, found by trying. Successes are cached, failures tried again. */
export interface ProcessHost {
  /**
   * Takes the user for a run; `null` for the user of this process.
   *
   * @throws {SkillError} `runner-failed` when no user is free
   */
  takeUser(): Promise<RunUser | null>;
  /** Removes, once, what killed hosts left. */
  clean(): Promise<void>;
  /** @throws {SkillError} `unsupported` when the required confinement cannot be had */
  confinement(): Promise<ProcessConfinement>;
  /** @throws {SkillError} `unsupported` when none of them works in this confinement */
  interpreter(candidates: readonly ScriptInterpreter[], confinement: ProcessConfinement): Promise<UsableInterpreter>;
}

/** Makes the host of a runner. Nothing is tried before it is asked for. */
export function processHost(settings: ProcessSettings): ProcessHost {
  const { confinement: wanted, requireConfinement, temporaryFolder, processLimits, readablePaths } = settings;
  /** Whether this process is root. Then each run has a user of its own. */
  const stepsDown = process.getuid?.() === 0;
  const usable = new Map<string, UsableInterpreter>();
  let trying: Promise<ProcessConfinement | null> | undefined;
  let retryAt = Number.POSITIVE_INFINITY;
  let cleaned: Promise<void> | undefined;

  const takeUser = async (): Promise<RunUser | null> => (stepsDown ? await takeRunUser() : null);

  /** Tries a way with an empty copy. */
  async function works(way: ProcessConfinement, argv: readonly string[], readable: readonly string[]): Promise<boolean> {
    const owner = await takeUser();
    try {
      const originals = new Map<string, Uint8Array>();
      const copy = await makeWorkingCopy(originals, temporaryFolder, owner);
      try {
        const end = await runConfined(way, {
          copy,
          originals,
          cwd: '',
          readable: [...readablePaths, ...readable],
          limits: processLimits,
          argv,
          env: { PATH: '/usr/bin:/bin' },
          owner,
          stdin: new Uint8Array(),
          timeoutMs: probeTimeoutMs,
          maxOutputBytes: maxProbeBytes,
          signal: undefined,
        });
        return end.started && end.exitCode === 0;
      } catch {
        return false;
      } finally {
        // What is tried writes nothing.
        await removeUntouched(copy.base);
      }
    } finally {
      owner?.release(false);
    }
  }

  async function findConfinement(): Promise<ProcessConfinement | null> {
    const tool = async (name: string): Promise<string | null> => (await findPrograms(name, process.env['PATH']))[0] ?? null;
    const [bwrap = null, unshare = null, setpriv = null] = await Promise.all(
      process.platform === 'linux' ? ['bwrap', 'unshare', 'setpriv'].map(tool) : [],
    );
    for (const way of confinementsWith({ bwrap, unshare, setpriv }, stepsDown)) {
      const isAllowed = (wanted === 'auto' || way.kind === wanted) && (way.kind !== 'none' || !requireConfinement);
      if (isAllowed && (await works(way, ['/bin/sh', '-c', ':'], []))) return way;
    }
    return null;
  }

  async function findInterpreter(candidate: ScriptInterpreter, way: ProcessConfinement): Promise<UsableInterpreter | null> {
    const { name, path, arguments: given = [], probe = ['--version'] } = candidate;
    // The running Node.js works, and its version is known.
    const own = name === 'node' && process.versions['bun'] === undefined ? [process.execPath] : [];
    for (const command of path === undefined ? [...own, ...(await findPrograms(name, process.env['PATH']))] : [path]) {
      const real = await realProgram(command);
      if (real === null) continue;
      const readable = [...new Set((await Promise.all([command, real].map(readablePathsOf))).flat())];
      if (await works(way, [command, ...probe], readable)) return { command, arguments: given, readable };
    }
    return null;
  }

  return {
    takeUser,

    async clean() {
      await (cleaned ??= removeAbandoned(temporaryFolder));
    },

    async confinement() {
      if (performance.now() >= retryAt) {
        trying = undefined;
        retryAt = Number.POSITIVE_INFINITY;
      }
      trying ??= findConfinement();
      let found: ProcessConfinement | null = null;
      try {
        found = await trying;
      } finally {
        // A failure under load, or before a package was installed, is not permanent.
        if (found === null) trying = undefined;
        else if (found.kind === 'none' && retryAt === Number.POSITIVE_INFINITY) retryAt = performance.now() + retryAfterMs;
      }
      if (found !== null) return found;
      const tried =
        wanted === 'auto'
          ? 'Neither bubblewrap nor namespaces (unshare, setpriv) work'
          : `The confinement "${wanted}" does not work, or is none,`;
      const message = `${tried} here, so processRunner runs nothing. Install bubblewrap and allow user namespaces, use another runner, or pass requireConfinement: false where the machine itself is the sandbox.`;
      throw new SkillError('unsupported', message);
    },

    async interpreter(candidates, way) {
      for (const candidate of candidates) {
        const key = `${way.kind} ${candidate.name} ${candidate.path ?? ''}`;
        const found = usable.get(key) ?? (await findInterpreter(candidate, way));
        if (found === null) continue;
        usable.set(key, found);
        return found;
      }
      const names = candidates.map(({ name }) => name).join(' or ');
      const message = `${names} was not found, or does not work in the confinement "${way.kind}". Install it, or give its path with the option "interpreters".`;
      throw new SkillError('unsupported', message);
    },
  };
}
