import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { assertKnownOptions, printDiagnostic, type OptionRules } from '@repertoire/skills-core/internal';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runnerRules, runnerSettings, wholeOption, type RunnerOptions, type RunnerSettings } from '../request/runner-options.ts';
import type { ProcessConfinementKind, ProcessLimits } from './confinements.ts';
import { commandShells, defaultInterpreters, type ScriptInterpreter } from './interpreters.ts';

/** Options of `processRunner`. */
export interface ProcessRunnerOptions extends RunnerOptions {
  /**
   * Refuses to run anything without bubblewrap or namespaces. Pass `false` only if the machine
   * itself is the sandbox.
   * @default true
   */
  readonly requireConfinement?: boolean | undefined;
  /** The kind of confinement to use. @default 'auto', the strongest that works */
  readonly confinement?: 'auto' | ProcessConfinementKind | undefined;
  /** Programs that may run scripts. @default defaultInterpreters */
  readonly interpreters?: readonly ScriptInterpreter[] | undefined;
  /**
   * Shells that may run command lines; the first that works is used. An empty list rejects
   * commands.
   * @default bash, otherwise sh
   */
  readonly shells?: readonly ScriptInterpreter[] | undefined;
  /**
   * Absolute paths that a confined script may read, in addition to programs and libraries of the
   * system.
   * @default none
   */
  readonly readablePaths?: readonly string[] | undefined;
  /** Folder for working copies. @default the system's temporary folder */
  readonly temporaryFolder?: string | undefined;
  /** Bytes of one file that a script writes. @default 16777216 */
  readonly maxFileBytes?: number | undefined;
  /**
   * Bytes of all files of a run, including those of the skill. Confined, it is the size of the
   * run's own file system, with `/tmp` and `/dev/shm`, which is memory. Otherwise the working copy
   * is checked every 200 ms.
   * @default 134217728
   */
  readonly maxFolderBytes?: number | undefined;
  /** Files and folders of a run, counted in the same way. @default 5000 */
  readonly maxFolderEntries?: number | undefined;
  /** Processes and threads of a confined run. @default 64 */
  readonly maxProcesses?: number | undefined;
  /** Bytes of address space of each process. Node.js needs 2 GiB. @default 2147483648 */
  readonly maxMemoryBytes?: number | undefined;
  /**
   * Called with a diagnostic for copies that could not be removed, and for processes that tried to
   * outlive an unconfined run.
   * @default warnings and errors are printed with `console.warn`, each once
   */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}

/** Options after their defaults, checked. */
export interface ProcessSettings extends RunnerSettings {
  readonly confinement: 'auto' | ProcessConfinementKind;
  readonly requireConfinement: boolean;
  readonly readablePaths: readonly string[];
  readonly interpreters: readonly ScriptInterpreter[];
  readonly shells: readonly ScriptInterpreter[];
  readonly temporaryFolder: string;
  /** What the kernel enforces, with a time that ends processes which the runner lost. */
  readonly processLimits: ProcessLimits;
  readonly onDiagnostic: (diagnostic: SkillDiagnostic) => void;
}

const knownOptions: OptionRules<ProcessRunnerOptions> = {
  ...runnerRules,
  requireConfinement: 'boolean',
  confinement: { auto: true, bubblewrap: true, namespaces: true, none: true },
  interpreters: '[]',
  shells: '[]',
  readablePaths: 'string[]',
  temporaryFolder: 'string',
  maxFileBytes: 'number',
  maxFolderBytes: 'number',
  maxFolderEntries: 'number',
  maxProcesses: 'number',
  maxMemoryBytes: 'number',
  onDiagnostic: '()',
};

/**
 * Applies the defaults.
 *
 * @throws {SkillError} `invalid-options`
 */
export function processSettings(options: ProcessRunnerOptions): ProcessSettings {
  const of = 'processRunner';
  assertKnownOptions(of, options, knownOptions);
  const common = runnerSettings(of, options, { label: 'process', maxCopyBytes: 67_108_864 });
  return {
    ...common,
    confinement: options.confinement ?? 'auto',
    requireConfinement: options.requireConfinement ?? true,
    readablePaths: absolutePaths(options.readablePaths ?? []),
    interpreters: options.interpreters ?? defaultInterpreters,
    shells: options.shells ?? commandShells,
    temporaryFolder: options.temporaryFolder ?? tmpdir(),
    processLimits: {
      maxProcesses: wholeOption(of, options, 'maxProcesses', 64),
      maxMemoryBytes: wholeOption(of, options, 'maxMemoryBytes', 2_147_483_648),
      maxFileBytes: wholeOption(of, options, 'maxFileBytes', 16_777_216),
      cpuSeconds: cpuSecondsFor(common.limits.timeoutMs),
      maxFolderBytes: wholeOption(of, options, 'maxFolderBytes', 134_217_728),
      maxFolderEntries: wholeOption(of, options, 'maxFolderEntries', 5_000),
    },
    onDiagnostic: options.onDiagnostic ?? printDiagnostic,
  };
}

/** Returns the seconds of processor time that a run of this wall-clock time gets. */
export function cpuSecondsFor(timeoutMs: number): number {
  return Math.ceil(timeoutMs / 1_000) + 1;
}

function absolutePaths(paths: readonly string[]): readonly string[] {
  const relative = paths.find((candidate) => !path.isAbsolute(candidate));
  if (relative !== undefined)
    throw new SkillError(
      'invalid-options',
      `Option "readablePaths" of processRunner holds ${JSON.stringify(relative)}. Give absolute paths.`,
    );
  return paths;
}
