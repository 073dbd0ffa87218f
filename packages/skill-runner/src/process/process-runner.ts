import {
  numberOption,
  SkillError,
  type SkillDiagnostic,
  type SkillRunner,
  type SkillRunRequest,
  type SkillRunResult,
} from '@repertoire/skills-core';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkEnvironment, checkRequest, type CheckedRequest, type RunLimits } from '../request/check-request.ts';
import type { ProcessConfinement, ProcessConfinementKind } from './confinements.ts';
import { endLeftovers, markVariable } from './end-leftovers.ts';
import { commandShells, defaultInterpreters, interpreterOf, type ScriptInterpreter } from './interpreters.ts';
import { ProcessHost, type UsableInterpreter } from './process-host.ts';
import { runProcess } from './run-process.ts';
import { makeWorkingCopy, type WorkingCopy } from './working-copy.ts';
import { isOverfull, writtenFiles, type WriteLimits } from './written-files.ts';

export type { ProcessConfinementKind } from './confinements.ts';

/** Options of {@link processRunner}. Limits of a request can only lower these. */
export interface ProcessRunnerOptions {
  /** Names the runner for people. @default 'process' */
  readonly label?: string | undefined;
  /** Refuses to run anything without bubblewrap or namespaces. Pass `false` only where the machine itself is the sandbox. @default true */
  readonly requireConfinement?: boolean | undefined;
  /** The one kind of confinement to use. @default 'auto', the strongest that works */
  readonly confinement?: 'auto' | ProcessConfinementKind | undefined;
  /** Programs that may run scripts. @default defaultInterpreters */
  readonly interpreters?: readonly ScriptInterpreter[] | undefined;
  /** Programs that may run command lines, the first that works. An empty list refuses commands. @default bash, else sh */
  readonly shells?: readonly ScriptInterpreter[] | undefined;
  /** Environment variables of every run. Nothing else of the host's environment is passed on. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Absolute paths that a confined script may read besides programs and libraries of the system. @default none */
  readonly readablePaths?: readonly string[] | undefined;
  /** Where copies are made. @default the system's folder for temporary files */
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
  /** Bytes of all files in the working copy, with those of the skill. It is looked at every 200 ms. @default 134217728 */
  readonly maxFolderBytes?: number | undefined;
  /** Files and folders in the working copy, with those of the skill. @default 5000 */
  readonly maxFolderEntries?: number | undefined;
  /** Bytes of `/tmp` in a confined run. @default 67108864 */
  readonly maxTemporaryBytes?: number | undefined;
  /** Processes and threads of a confined run. @default 64 */
  readonly maxProcesses?: number | undefined;
  /** Bytes of address space of each process. Node.js does not start with less than 2 GiB. @default 2147483648 */
  readonly maxMemoryBytes?: number | undefined;
  /** Is told of copies that could not be removed, and of processes that tried to outlive an unconfined run. @default nobody is told */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}

/** Options that are numbers. */
type NumericOption = Extract<keyof ProcessRunnerOptions, `max${string}`>;

/** Options after their defaults. */
interface Settings {
  readonly label: string;
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
 * Runs scripts as processes of the system: Linux with bubblewrap or with namespaces of util-linux, which is tried and never assumed. On macOS, and on
 * Linux where neither works, it runs them as plain processes, and only with `requireConfinement: false`. Windows is not supported.
 *
 * `docs/guide/scripts.md` says what each confinement holds and what it does not.
 *
 * @throws {SkillError} `invalid-options` for options that cannot work
 * @example
 * ```ts
 * import { processRunner } from '@repertoire/skill-runner/process';
 * import type { SkillRunner } from '@repertoire/skills-core';
 *
 * export const runner: SkillRunner = processRunner({ timeoutMs: 20_000, env: { TZ: 'UTC' } });
 * ```
 */
export function processRunner(options: ProcessRunnerOptions = {}): SkillRunner {
  const settings = settingsOf(options);
  const { maxFileBytes, maxMemoryBytes, maxProcesses } = settings.processLimits;
  const host = new ProcessHost({
    confinement: options.confinement ?? 'auto',
    requireConfinement: options.requireConfinement ?? true,
    readablePaths: absolutePaths(options.readablePaths ?? []),
    temporaryFolder: settings.temporaryFolder,
    // Time on the clock is the runner's; this ends what the runner lost.
    limits: { maxFileBytes, maxMemoryBytes, maxProcesses, cpuSeconds: Math.ceil(settings.limits.timeoutMs / 1_000) + 1 },
    maxTemporaryBytes: settings.maxTemporaryBytes,
  });
  return { label: settings.label, run: (request) => runRequest(request, settings, host, options.readablePaths ?? []) };
}

async function runRequest(
  request: SkillRunRequest,
  settings: Settings,
  host: ProcessHost,
  readablePaths: readonly string[],
): Promise<SkillRunResult> {
  if (process.platform === 'win32')
    throw new SkillError('unsupported', 'processRunner does not run on Windows. Use justBashRunner or wasmRunner, or run the host in WSL.');
  const checked = await checkRequest(request, settings.label, settings.limits);
  const candidates = interpretersFor(request, checked, settings);
  const orFail =
    (why: string) =>
    (cause: unknown): never => {
      throw SkillError.isInstance(cause) ? cause : failed(request, settings.label, `${why}: ${String(cause)}`, cause);
    };
  const confinement = await host.confinement().catch(orFail('its confinement could not be tried'));
  const interpreter = await host.interpreter(candidates, confinement).catch(orFail('its interpreter could not be tried'));
  request.signal?.throwIfAborted();
  const copy = await makeWorkingCopy(checked.files, settings.temporaryFolder, host.owner).catch(orFail('its files could not be copied'));
  try {
    return await runIn(copy, { request, checked, confinement, interpreter, settings, owner: host.owner, readablePaths });
  } finally {
    await copy.remove().catch((cause: unknown) => {
      const message = `The copy ${copy.base} could not be removed: ${String(cause)}`;
      settings.onDiagnostic({ code: 'run-copy-left', severity: 'warning', message, skill: request.skill.name, path: copy.base });
    });
  }
}

interface Run {
  readonly request: SkillRunRequest;
  readonly checked: CheckedRequest;
  readonly confinement: ProcessConfinement;
  readonly interpreter: UsableInterpreter;
  readonly settings: Settings;
  readonly owner: ProcessHost['owner'];
  readonly readablePaths: readonly string[];
}

async function runIn(copy: WorkingCopy, run: Run): Promise<SkillRunResult> {
  const { request, checked, confinement, interpreter, settings, owner } = run;
  const mark = randomUUID();
  const began = performance.now();
  const cpuSeconds = Math.ceil(checked.timeoutMs / 1_000) + 1;
  const end = await runProcess({
    argv: confinement.argv({
      copy,
      cwd: checked.cwd,
      readable: [...run.readablePaths, ...interpreter.readable],
      limits: { ...settings.processLimits, cpuSeconds },
      maxTemporaryBytes: settings.maxTemporaryBytes,
      argv: commandLine(request, checked, interpreter, confinement.skillFolder(copy)),
    }),
    env: environment(run, copy, mark),
    startIn: confinement.startIn(copy, checked.cwd),
    owner,
    stdin: checked.stdin,
    timeoutMs: checked.timeoutMs,
    maxOutputBytes: checked.maxOutputBytes,
    folder: copy.skill,
    writeLimits: settings.writeLimits,
    signal: request.signal,
  }).catch((cause: unknown) => {
    throw failed(request, settings.label, `the process could not be started: ${String(cause)}`, cause);
  });
  const durationMs = Math.round(performance.now() - began);
  if (confinement.kind === 'none') await reportLeftovers(mark, request, settings);
  if (end.aborted) request.signal?.throwIfAborted();
  if (end.endedBy === 'exit' && !end.started)
    throw failed(request, settings.label, `its confinement failed: ${end.stderr.trim().slice(-300)}`);
  const filesWritten = await writtenFiles(copy.skill, copy.before, checked.files, settings.writeLimits);
  // What was written since the last look at the folder.
  const overfull = end.endedBy === 'exit' && (await isOverfull(copy.skill, settings.writeLimits));
  return {
    exitCode: overfull ? null : end.exitCode,
    endedBy: overfull || end.endedBy === 'files' ? 'files' : end.endedBy,
    stdout: end.stdout,
    stderr: end.stderr,
    truncated: end.truncated,
    durationMs,
    filesWritten,
    confinement: { kind: confinement.kind, holds: confinement.holds },
  };
}

function interpretersFor(
  { script }: SkillRunRequest,
  { files }: CheckedRequest,
  { interpreters, shells, label }: Settings,
): readonly ScriptInterpreter[] {
  if (script !== undefined) return [interpreterOf(script, files.get(script) ?? new Uint8Array(), interpreters)];
  if (shells.length === 0)
    throw new SkillError('unsupported', `${label} runs no command lines: the host allows no shell. Only scripts can be run.`);
  return shells;
}

function commandLine(
  { script, command }: SkillRunRequest,
  checked: CheckedRequest,
  interpreter: UsableInterpreter,
  folder: string,
): string[] {
  const start = [interpreter.command, ...interpreter.arguments];
  return script === undefined
    ? [...start, '-c', command ?? '', 'skill', ...checked.arguments]
    : [...start, path.posix.join(folder, script), ...checked.arguments];
}

function environment({ checked, confinement, interpreter, settings }: Run, copy: WorkingCopy, mark: string): Record<string, string> {
  const temporary = confinement.temporaryFolder(copy);
  const folders = new Set([path.dirname(interpreter.command), '/usr/local/bin', '/usr/bin', '/bin']);
  return {
    PATH: [...folders].join(':'),
    HOME: temporary,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    // Many scripts import modules from the skill's own folder.
    PYTHONPATH: confinement.skillFolder(copy),
    ...(confinement.kind === 'none' && { [markVariable]: mark }),
    ...settings.env,
    ...checked.env,
  };
}

async function reportLeftovers(mark: string, request: SkillRunRequest, settings: Settings): Promise<void> {
  const found = await endLeftovers(mark);
  if (found === 0) return;
  const message = `${found} processes of ${request.script ?? 'a command'} tried to outlive it and were ended. Run it confined.`;
  settings.onDiagnostic({ code: 'run-processes-left', severity: 'warning', message, skill: request.skill.name });
}

function failed({ skill, script }: SkillRunRequest, runner: string, why: string, cause?: unknown): SkillError {
  const message = `${runner} could not run ${script ?? 'a command'} of skill ${JSON.stringify(skill.name)}: ${why}. Try again; if it stays so, look at the machine.`;
  return new SkillError('runner-failed', message, { skill: skill.name, ...(script !== undefined && { path: script }), cause });
}

function settingsOf(options: ProcessRunnerOptions): Settings {
  const of = 'processRunner';
  const whole = (name: NumericOption, fallback: number): number =>
    numberOption(name, options[name], { of, fallback, least: 1, most: Number.MAX_SAFE_INTEGER, whole: true });
  return {
    label: options.label ?? 'process',
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
    onDiagnostic: options.onDiagnostic ?? (() => {}),
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
