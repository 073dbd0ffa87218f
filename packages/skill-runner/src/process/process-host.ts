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
export class ProcessHost {
  /** Whether this process is root. Then each run has a user of its own. */
  readonly #stepsDown = process.getuid?.() === 0;
  readonly #settings: ProcessSettings;
  readonly #interpreters = new Map<string, UsableInterpreter>();
  #confinement: Promise<ProcessConfinement | null> | undefined;
  #retryAt: number = Number.POSITIVE_INFINITY;
  #cleaned: Promise<void> | undefined;

  constructor(settings: ProcessSettings) {
    this.#settings = settings;
  }

  /**
   * The user for a run; `null` for the user of this process.
   *
   * @throws {SkillError} `runner-failed` when no user is free
   */
  async takeUser(): Promise<RunUser | null> {
    return this.#stepsDown ? await takeRunUser() : null;
  }

  /** Removes, once, what killed hosts left. */
  async clean(): Promise<void> {
    this.#cleaned ??= removeAbandoned(this.#settings.temporaryFolder);
    await this.#cleaned;
  }

  /** @throws {SkillError} `unsupported` when the required confinement cannot be had */
  async confinement(): Promise<ProcessConfinement> {
    if (performance.now() >= this.#retryAt) {
      this.#confinement = undefined;
      this.#retryAt = Number.POSITIVE_INFINITY;
    }
    this.#confinement ??= this.#findConfinement();
    let found: ProcessConfinement | null = null;
    try {
      found = await this.#confinement;
    } finally {
      // A failure under load, or before a package was installed, is not permanent.
      if (found === null) this.#confinement = undefined;
      else if (found.kind === 'none' && this.#retryAt === Number.POSITIVE_INFINITY) this.#retryAt = performance.now() + retryAfterMs;
    }
    if (found !== null) return found;
    const { confinement } = this.#settings;
    const tried =
      confinement === 'auto'
        ? 'Neither bubblewrap nor namespaces (unshare, setpriv) work'
        : `The confinement "${confinement}" does not work, or is none,`;
    throw new SkillError(
      'unsupported',
      `${tried} here, so processRunner runs nothing. Install bubblewrap and allow user namespaces, ` +
        'use another runner, or pass requireConfinement: false where the machine itself is the sandbox.',
    );
  }

  /** @throws {SkillError} `unsupported` when none of them works in this confinement */
  async interpreter(candidates: readonly ScriptInterpreter[], confinement: ProcessConfinement): Promise<UsableInterpreter> {
    for (const candidate of candidates) {
      const key = `${confinement.kind} ${candidate.name} ${candidate.path ?? ''}`;
      const usable = this.#interpreters.get(key) ?? (await this.#findInterpreter(candidate, confinement));
      if (usable === null) continue;
      this.#interpreters.set(key, usable);
      return usable;
    }
    const names = candidates.map(({ name }) => name).join(' or ');
    throw new SkillError(
      'unsupported',
      `${names} was not found, or does not work in the confinement "${confinement.kind}". Install it, or give its path with the option "interpreters".`,
    );
  }

  async #findConfinement(): Promise<ProcessConfinement | null> {
    const { confinement: wanted, requireConfinement } = this.#settings;
    const tool = async (name: string): Promise<string | null> => (await findPrograms(name, process.env['PATH']))[0] ?? null;
    const [bwrap = null, unshare = null, setpriv = null] = await Promise.all(
      process.platform === 'linux' ? ['bwrap', 'unshare', 'setpriv'].map(tool) : [],
    );
    const ways = confinementsWith({ bwrap, unshare, setpriv }, this.#stepsDown);
    const allowed = ways.filter(({ kind }) => (wanted === 'auto' || kind === wanted) && (kind !== 'none' || !requireConfinement));
    for (const way of allowed) if (await this.#works(way, ['/bin/sh', '-c', ':'], [])) return way;
    return null;
  }

  async #findInterpreter(candidate: ScriptInterpreter, confinement: ProcessConfinement): Promise<UsableInterpreter | null> {
    // The running Node.js works, and its version is known.
    const own = candidate.name === 'node' && process.versions['bun'] === undefined ? [process.execPath] : [];
    const commands =
      candidate.path === undefined ? [...own, ...(await findPrograms(candidate.name, process.env['PATH']))] : [candidate.path];
    for (const command of commands) {
      const real = await realProgram(command);
      if (real === null) continue;
      const readable = [...new Set((await Promise.all([command, real].map(readablePathsOf))).flat())];
      if (await this.#works(confinement, [command, ...(candidate.probe ?? ['--version'])], readable))
        return { command, arguments: candidate.arguments ?? [], readable };
    }
    return null;
  }

  /** Tries a way with an empty copy. */
  async #works(way: ProcessConfinement, argv: readonly string[], readable: readonly string[]): Promise<boolean> {
    const { temporaryFolder, processLimits, readablePaths } = this.#settings;
    const owner = await this.takeUser();
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
}
