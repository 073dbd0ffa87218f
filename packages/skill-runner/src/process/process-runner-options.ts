import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { numberOption, printDiagnostic } from '@repertoire/skills-core/internal';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkEnvironment, type RunLimits } from '../request/check-request.ts';
import type { ProcessConfinementKind } from './confinements.ts';
import { commandShells, defaultInterpreters, type ScriptInterpreter } from './interpreters.ts';
import type { WriteLimits } from './written-files.ts';

/** Options of `processRunner`. Limits of a request can only be lower than these. */
export interface ProcessRunnerOptions {
  /** Name of the runner for people. @default 'process' */
  readonly label?: string | undefined;
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
  /** Environment variables of every run; nothing else is passed on. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * Absolute paths that a confined script may read, in addition to programs and libraries of the
   * system.
   * @default none
   */
  readonly readablePaths?: readonly string[] | undefined;
  /** Folder for working copies. @default the system's temporary folder */
  readonly temporaryFolder?: string | undefined;
  /** Milliseconds for a run. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** Bytes of output for a run. @default 1048576 */
  readonly maxOutputBytes?: number | undefined;
  /** Bytes of standard input. @default 16777216 */
  readonly maxStdinBytes?: number | undefined;
  /** Bytes of the skill's files and the inputs together. @default 67108864 */
  readonly maxCopyBytes?: number | undefined;
  /** Bytes of one file that a script writes. @default 16777216 */
  readonly maxFileBytes?: number | undefined;
  /**
   * Maximum bytes of all files in the working copy, including those of the skill. It is checked
   * every 200 ms.
   * @default 134217728
   */
  readonly maxFolderBytes?: number | undefined;
  /** Files and folders in the working copy, including those of the skill. @default 5000 */
  readonly maxFolderEntries?: number | undefined;
  /** Bytes of `/tmp` in a confined run. @default 67108864 */
  readonly maxTemporaryBytes?: number | undefined;
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

type NumericOption = Extract<keyof ProcessRunnerOptions, `max${string}`>;

/** Options after their defaults, checked. */
export interface ProcessSettings {
  readonly label: string;
  readonly readablePaths: readonly string[];
  readonly interpreters: readonly ScriptInterpreter[];
  readonly shells: readonly ScriptInterpreter[];
  readonly env: Readonly<Record<string, string>>;
  readonly temporaryFolder: string;
  readonly limits: RunLimits;
  readonly writeLimits: WriteLimits;
  readonly maxTemporaryBytes: number;
  readonly processLimits: { readonly maxProcesses: number; readonly maxMemoryBytes: number; readonly maxFileBytes: number };
  readonly onDiagnostic: (diagnostic: SkillDiagnostic) => void;
}

/**
 * Applies the defaults.
 *
 * @throws {SkillError} `invalid-options`
 */
export function processSettings(options: ProcessRunnerOptions): ProcessSettings {
  const of = 'processRunner';
  const whole = (name: NumericOption, fallback: number): number =>
    numberOption(name, options[name], { of, fallback, least: 1, most: Number.MAX_SAFE_INTEGER, whole: true });
  return {
    label: options.label ?? 'process',
    readablePaths: absolutePaths(options.readablePaths ?? []),
    interpreters: options.interpreters ?? defaultInterpreters,
    shells: options.shells ?? commandShells,
    env: checkEnvironment(options.env ?? {}, of),
    temporaryFolder: options.temporaryFolder ?? tmpdir(),
    limits: {
      timeoutMs: numberOption('timeoutMs', options.timeoutMs, { of, fallback: 30_000, least: 1, most: 2_147_483_647, whole: true }),
      maxOutputBytes: whole('maxOutputBytes', 1_048_576),
      maxStdinBytes: whole('maxStdinBytes', 16_777_216),
      maxCopyBytes: whole('maxCopyBytes', 67_108_864),
    },
    writeLimits: { maxFolderBytes: whole('maxFolderBytes', 134_217_728), maxFolderEntries: whole('maxFolderEntries', 5_000) },
    maxTemporaryBytes: whole('maxTemporaryBytes', 67_108_864),
    processLimits: {
      maxProcesses: whole('maxProcesses', 64),
      maxMemoryBytes: whole('maxMemoryBytes', 2_147_483_648),
      maxFileBytes: whole('maxFileBytes', 16_777_216),
    },
    onDiagnostic: options.onDiagnostic ?? printDiagnostic,
  };
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
