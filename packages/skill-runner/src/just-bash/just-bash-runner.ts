import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, compareText, type OptionRules, type SkillWrittenFile } from '@repertoire/skills-core/internal';
import type { SkillRunner, SkillRunRequest, SkillRunResult } from '@repertoire/skills-core/provider';
import { checkRequest, type CheckedRequest } from '../request/check-request.ts';
import { cutOutput } from '../request/cut-output.ts';
import { projectVariables } from '../request/project-variables.ts';
import { longestTimerMs, runnerRules, runnerSettings, wholeOption, type RunnerOptions } from '../request/runner-options.ts';

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
  const { create, programs = { '.sh': 'bash', '.bash': 'bash' } } = options;
  const { label, env: given, limits } = runnerSettings(of, options, { label: 'just-bash', maxCopyBytes: 33_554_432 });
  const maxFolderBytes = wholeOption(of, options, 'maxFolderBytes', 67_108_864);

  const notMounted = (project: string): SkillError => {
    const message = `${label} does not show the project ${JSON.stringify(project)} to commands. Mount it in "create", at the path that its option "project" names.`;
    return new SkillError('unsupported', message);
  };

  /** Returns the program and its arguments, which no shell parses. */
  function commandOf({ script, command = '' }: SkillRunRequest, checked: CheckedRequest): readonly [string, ...string[]] {
    if (script === undefined) return ['bash', '-c', command, 'skill', ...checked.arguments];
    const file = script.slice(script.lastIndexOf('/') + 1).toLowerCase();
    const program = Object.entries(programs).find(([extension]) => file.endsWith(extension))?.[1] ?? shellOf(checked.files.get(script));
    if (program !== null) return [program, `${folder}/${script}`, ...checked.arguments];
    const known = Object.keys(programs).join(', ');
    const message = `${label} does not run ${script}: it runs ${known}. Use a runner for such scripts, such as processRunner.`;
    throw new SkillError('unsupported', message, { path: script });
  }

  async function run(request: SkillRunRequest): Promise<SkillRunResult> {
    const checked = await checkRequest(request, label, limits);
    const { project, files, timeoutMs, maxOutputBytes } = checked;
    const [program, ...args] = commandOf(request, checked);
    if (project === '.') throw notMounted(project);
    const variables = project === null ? {} : projectVariables(project, folder);
    const env = { HOME: '/tmp', PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...variables, ...given, ...checked.env };
    const cwd = project ?? (checked.cwd === '' ? folder : `${folder}/${checked.cwd}`);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const signal = request.signal === undefined ? late.signal : AbortSignal.any([request.signal, late.signal]);
    const began = performance.now();
    try {
      const longestMs = Math.min(timeoutMs + ownLimitMs, longestTimerMs);
      const shell = create({
        files: Object.fromEntries(Array.from(files, ([path, bytes]) => [`${folder}/${path}`, bytes])),
        ...(project !== null && { project }),
        // The package makes the folder that it starts in, so for a project it starts in another.
        cwd: project === null ? cwd : folder,
        env,
        executionLimitProfile: 'hardened',
        executionLimits: {
          maxExecutionTimeMs: longestMs,
          // The package applies it to pipes, too. What leaves the run is cut afterwards.
          maxOutputSize: Math.max(maxOutputBytes, maxFolderBytes),
          maxFileSystemBytes: maxFolderBytes,
          maxPythonTimeoutMs: longestMs,
          maxJsTimeoutMs: longestMs,
        },
      });
      if (project !== null && (await shell.fs.lstat(project).catch(() => null))?.isFile !== false) throw notMounted(project);
      const end = await shell.exec(program, { args, cwd, env, stdin: latin1(checked.stdin), stdinKind: 'bytes', signal });
      const durationMs = Math.round(performance.now() - began);
      request.signal?.throwIfAborted();
      const timedOut = late.signal.aborted || (end.exitCode === 124 && durationMs >= timeoutMs);
      const told = end.exitCode === 126 ? withoutLimitNotice(end.stderr) : undefined;
      const output = cutOutput(end.stdoutKind === 'bytes' ? fromLatin1(end.stdout) : end.stdout, told ?? end.stderr, maxOutputBytes);
      const full = told !== undefined || output.cut;
      return {
        exitCode: timedOut || full ? null : end.exitCode,
        endedBy: timedOut ? 'timeout' : full ? 'output' : 'exit',
        stdout: output.stdout,
        stderr: output.stderr,
        truncated: full,
        durationMs,
        filesWritten: await writtenFiles(shell.fs, files),
        confinement: {
          kind: 'just-bash',
          holds: ['network', 'host-reads', 'host-writes', 'environment', 'processes', 'system-calls', 'process-count', 'file-size'],
        },
      };
    } catch (thrown) {
      request.signal?.throwIfAborted();
      if (SkillError.isInstance(thrown)) throw thrown;
      const skill = request.skill.name;
      const message = `${label} could not run ${request.script ?? 'a command'} of skill ${JSON.stringify(skill)}: ${String(thrown)}. Look at what "create" returns.`;
      throw new SkillError('runner-failed', message, { skill, cause: thrown });
    } finally {
      clearTimeout(timer);
    }
  }

  return { label, run };
}

/**
 * Finds new and changed files of the skill's folder, without links. The shell's limits bound their
 * size.
 */
async function writtenFiles(fs: JustBashLike['fs'], originals: ReadonlyMap<string, Uint8Array>): Promise<readonly SkillWrittenFile[]> {
  const written: SkillWrittenFile[] = [];
  for (const absolute of fs.getAllPaths()) {
    if (!absolute.startsWith(`${folder}/`) || !(await fs.lstat(absolute)).isFile) continue;
    const path = absolute.slice(folder.length + 1);
    const bytes = new Uint8Array(await fs.readFileBuffer(absolute));
    const original = originals.get(path);
    if (bytes.length !== original?.length || bytes.some((byte, index) => byte !== original[index]))
      written.push({ path, size: bytes.length, bytes });
  }
  return written.sort((a, b) => compareText(a.path, b.path));
}

/** Returns the output before the shell's truncation notice; `undefined` if there is none. */
function withoutLimitNotice(stderr: string): string | undefined {
  const end = stderr.endsWith('\n') ? stderr.length - 1 : stderr.length;
  const start = stderr.lastIndexOf('\n', end - 1) + 1;
  return stderr.slice(start, end).includes('total output size exceeded') ? stderr.slice(0, Math.max(0, start - 1)) : undefined;
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
