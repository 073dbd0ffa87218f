import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { SkillRunner, SkillRunRequest, SkillRunResult } from '@repertoire/skills-core/provider';
import { checkRequest, type CheckedRequest } from '../request/check-request.ts';
import { cutOutput } from '../request/cut-output.ts';
import { projectVariables } from '../request/project-variables.ts';
import {
  longestTimerMs,
  runnerRules,
  runnerSettings,
  wholeOption,
  type RunnerOptions,
  type RunnerSettings,
} from '../request/runner-options.ts';
import { writtenInMemory } from './written-in-memory.ts';

/** The part of a `Bash` of the package `just-bash` (3.4 or newer) that is used. */
export interface JustBashLike {
  readonly fs: {
    getAllPaths(): readonly string[];
    lstat(path: string): Promise<{ readonly isFile: boolean; readonly size: number }>;
    readFileBuffer(path: string): Promise<Uint8Array>;
  };
  exec(
    commandLine: string,
    options: {
      readonly args: string[];
      readonly cwd: string;
      readonly env: Record<string, string>;
      readonly stdin: string;
      readonly stdinKind: 'bytes';
      readonly signal: AbortSignal;
    },
  ): Promise<{
    readonly stdout: string;
    readonly stderr: string;
    readonly exitCode: number;
    readonly stdoutKind?: 'text' | 'bytes' | undefined;
  }>;
}

/** Options for creating a `Bash`. */
export interface JustBashOptions {
  readonly files: Record<string, Uint8Array>;
  /** Folder of the host in which a command starts. Mount it at this path, read-only. */
  readonly project?: string | undefined;
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly executionLimitProfile: 'hardened';
  readonly executionLimits: {
    readonly maxExecutionTimeMs: number;
    readonly maxOutputSize: number;
    readonly maxFileSystemBytes: number;
    readonly maxPythonTimeoutMs: number;
    readonly maxJsTimeoutMs: number;
  };
}

/** Options of {@link justBashRunner}. */
export interface JustBashRunnerOptions extends RunnerOptions {
  /**
   * Creates a shell for one run: `(options) => new Bash(options)`. `just-bash` runs on Node.js,
   * `just-bash/browser` everywhere. Whatever you add here, such as `network` or another file
   * system, weakens the confinement.
   */
  readonly create: (options: JustBashOptions) => JustBashLike;
  /**
   * Commands that run scripts, by extension. If `Bash` is created with `python: true`, you can add
   * `{ '.py': 'python3' }`.
   * @default `{ '.sh': 'bash', '.bash': 'bash' }`
   */
  readonly programs?: Readonly<Record<string, string>> | undefined;
  /** Maximum bytes of all files during a run, including those of the skill. @default 67108864 */
  readonly maxFolderBytes?: number | undefined;
}

interface Settings extends RunnerSettings {
  readonly create: JustBashRunnerOptions['create'];
  readonly programs: Readonly<Record<string, string>>;
  readonly maxFolderBytes: number;
}

const folder = '/skill';

/** Grace period for the shell's own limit. If the shell blocks the thread, no timer can end it. */
const ownLimitMs = 1_000;

const knownOptions: OptionRules<JustBashRunnerOptions> = {
  ...runnerRules,
  create: '()',
  programs: '{}',
  maxFolderBytes: 'number',
};

/**
 * Runs shell scripts and command lines in a shell written in TypeScript, over files in memory. No
 * process is started, and a script can access neither the host's files nor its network. It runs
 * everywhere, including Workers, but only with the commands of `just-bash`.
 *
 * It runs in the host's own thread, so a busy run delays others, up to its limits.
 *
 * @throws {SkillError} `invalid-options`
 * @example
 * ```ts
 * import { justBashRunner } from '@repertoire/skill-runner/just-bash';
 * import type { SkillRunner } from '@repertoire/skills-core/provider';
 * import { Bash } from 'just-bash';
 *
 * export const runner: SkillRunner = justBashRunner({ create: (options) => new Bash(options), timeoutMs: 5_000 });
 * ```
 */
export function justBashRunner(options: JustBashRunnerOptions): SkillRunner {
  assertKnownOptions('justBashRunner', options, knownOptions);
  const of = 'justBashRunner';
  const settings: Settings = {
    ...runnerSettings(of, options, { label: 'just-bash', maxCopyBytes: 33_554_432 }),
    create: options.create,
    programs: options.programs ?? { '.sh': 'bash', '.bash': 'bash' },
    maxFolderBytes: wholeOption(of, options, 'maxFolderBytes', 67_108_864),
  };
  return { label: settings.label, run: (request) => run(request, settings) };
}

async function run(request: SkillRunRequest, settings: Settings): Promise<SkillRunResult> {
  const checked = await checkRequest(request, settings.label, settings.limits);
  const [program, ...given] = commandOf(request, checked, settings);
  const { project } = checked;
  if (project === '.') throw notMounted(project, settings.label);
  const variables = project === null ? {} : projectVariables(project, folder);
  const env = { HOME: '/tmp', PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...variables, ...settings.env, ...checked.env };
  const cwd = project ?? (checked.cwd === '' ? folder : `${folder}/${checked.cwd}`);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), checked.timeoutMs);
  const signal = request.signal === undefined ? late.signal : AbortSignal.any([request.signal, late.signal]);
  const began = performance.now();
  try {
    const shell = settings.create(shellOptions(checked, env, project === null ? cwd : folder, settings));
    // The package makes the folder that it starts in, so it starts in another one.
    if (project !== null) await assertMounted(shell, project, settings.label);
    const end = await shell.exec(program, { args: given, cwd, env, stdin: latin1(checked.stdin), stdinKind: 'bytes', signal });
    const durationMs = Math.round(performance.now() - began);
    request.signal?.throwIfAborted();
    const timedOut = late.signal.aborted || (end.exitCode === 124 && durationMs >= checked.timeoutMs);
    const told = end.exitCode === 126 ? withoutLimitNotice(end.stderr) : undefined;
    const output = cutOutput(end.stdoutKind === 'bytes' ? fromLatin1(end.stdout) : end.stdout, told ?? end.stderr, checked.maxOutputBytes);
    const full = told !== undefined || output.cut;
    return {
      exitCode: timedOut || full ? null : end.exitCode,
      endedBy: timedOut ? 'timeout' : full ? 'output' : 'exit',
      stdout: output.stdout,
      stderr: output.stderr,
      truncated: full,
      durationMs,
      filesWritten: await writtenInMemory(shell, folder, checked.files),
      confinement: {
        kind: 'just-bash',
        holds: ['network', 'host-reads', 'host-writes', 'environment', 'processes', 'system-calls', 'process-count', 'file-size'],
      },
    };
  } catch (thrown) {
    request.signal?.throwIfAborted();
    if (SkillError.isInstance(thrown)) throw thrown;
    const what = request.script ?? 'a command';
    const message = `${settings.label} could not run ${what} of skill ${JSON.stringify(request.skill.name)}: ${String(thrown)}. Look at what "create" returns.`;
    throw new SkillError('runner-failed', message, { skill: request.skill.name, cause: thrown });
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the output before the shell's truncation notice; `undefined` if there is none. */
function withoutLimitNotice(stderr: string): string | undefined {
  const end = stderr.endsWith('\n') ? stderr.length - 1 : stderr.length;
  const start = stderr.lastIndexOf('\n', end - 1) + 1;
  return stderr.slice(start, end).includes('total output size exceeded') ? stderr.slice(0, Math.max(0, start - 1)) : undefined;
}

function shellOptions(checked: CheckedRequest, env: Record<string, string>, cwd: string, { maxFolderBytes }: Settings): JustBashOptions {
  const maxExecutionTimeMs = Math.min(checked.timeoutMs + ownLimitMs, longestTimerMs);
  return {
    files: Object.fromEntries(Array.from(checked.files, ([path, bytes]) => [`${folder}/${path}`, bytes])),
    ...(checked.project !== null && { project: checked.project }),
    cwd,
    env,
    executionLimitProfile: 'hardened',
    executionLimits: {
      maxExecutionTimeMs,
      // The package applies it to pipes, too. What leaves the run is cut afterwards.
      maxOutputSize: Math.max(checked.maxOutputBytes, maxFolderBytes),
      maxFileSystemBytes: maxFolderBytes,
      maxPythonTimeoutMs: maxExecutionTimeMs,
      maxJsTimeoutMs: maxExecutionTimeMs,
    },
  };
}

async function assertMounted({ fs }: JustBashLike, project: string, label: string): Promise<void> {
  const isFolder = await fs.lstat(project).then(
    ({ isFile }) => !isFile,
    () => false,
  );
  if (isFolder) return;
  throw notMounted(project, label);
}

function notMounted(project: string, label: string): SkillError {
  const message = `${label} does not show the project ${JSON.stringify(project)} to commands. Mount it in "create", at the path that its option "project" names.`;
  return new SkillError('unsupported', message);
}

/** Returns the program and its arguments, which no shell parses. */
function commandOf({ script, command }: SkillRunRequest, checked: CheckedRequest, settings: Settings): readonly [string, ...string[]] {
  if (script === undefined) return ['bash', '-c', command ?? '', 'skill', ...checked.arguments];
  const file = script.slice(script.lastIndexOf('/') + 1).toLowerCase();
  const program =
    Object.entries(settings.programs).find(([extension]) => file.endsWith(extension))?.[1] ?? shellOf(checked.files.get(script));
  if (program === null) {
    const known = Object.keys(settings.programs).join(', ');
    throw new SkillError(
      'unsupported',
      `${settings.label} does not run ${script}: it runs ${known}. Use a runner for such scripts, such as processRunner.`,
      { path: script },
    );
  }
  return [program, `${folder}/${script}`, ...checked.arguments];
}

/** Returns the shell of a script without an extension, from its first line. */
function shellOf(content: Uint8Array = new Uint8Array()): string | null {
  const line = new TextDecoder().decode(content.subarray(0, 64));
  return /^#! ?(?:\/usr)?\/bin\/(?:env )?(?:ba)?sh\s/.test(line) ? 'bash' : null;
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += 8_192) text += String.fromCharCode(...bytes.subarray(from, from + 8_192));
  return text;
}

function fromLatin1(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff));
}
