import { SkillError } from '@repertoire/skills-core';
import { isResourcePath, skillDigest, type SkillRunRequest } from '@repertoire/skills-core/provider';
import { addInputs } from './add-inputs.ts';

/** Maximum values of a runner, whatever a request says. */
export interface RunLimits {
  /** Milliseconds; a request can only lower it. */
  readonly timeoutMs: number;
  /** Bytes of output; a request can only lower it. */
  readonly maxOutputBytes: number;
  /** Bytes of standard input. */
  readonly maxStdinBytes: number;
  /** Bytes of the skill's files and the inputs together. */
  readonly maxCopyBytes: number;
}

/** A validated request. It owns its bytes. */
export interface CheckedRequest {
  /** The skill's files and the inputs, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly arguments: readonly string[];
  readonly stdin: Uint8Array;
  readonly env: Readonly<Record<string, string>>;
  /** Working directory; empty for the skill's folder. */
  readonly cwd: string;
  /** Folder of the host in which a command starts; `null` for none. */
  readonly project: string | null;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
}

/** Maximum bytes of arguments and environment together. Linux accepts 128 KiB for a single one. */
const maxArgumentBytes = 100_000;

/** Variables of the loader would affect the runner's own helpers, too. */
const loaderVariable = /^(?:LD_|DYLD_)/;

/**
 * Validates a request before anything happens, and copies its bytes, so that the run uses what was
 * checked even if a caller changes them.
 *
 * @throws {SkillError} see `SkillRunner.run`
 */
export async function checkRequest(request: SkillRunRequest, runner: string, limits: RunLimits): Promise<CheckedRequest> {
  const { skill, signal } = request;
  signal?.throwIfAborted();
  const files = copyFiles(request.files, limits.maxCopyBytes, skill.name);
  const digest = await skillDigest(Object.fromEntries(files));
  signal?.throwIfAborted();
  if (digest !== request.digest) {
    throw new SkillError(
      'digest-mismatch',
      `The files of skill ${JSON.stringify(skill.name)} are not those that were approved: their digest is ${digest}, expected ${request.digest}. ` +
        'Load the skill again, and review what changed.',
      { skill: skill.name },
    );
  }
  const bytes = [...files.values(), ...Object.values(request.inputs ?? {})].reduce((sum, { length }) => sum + length, 0);
  if (bytes > limits.maxCopyBytes) throw tooLarge('The files and inputs of this run have', limits.maxCopyBytes, 'maxCopyBytes', skill.name);
  // An input is no script and no folder of the skill, so it comes later.
  checkTarget(request, files, runner);
  addInputs(files, request);
  const env = checkEnvironment(request.env ?? {}, runner);
  const given = [...(request.arguments ?? [])];
  checkArguments([...given, request.command ?? ''], env, skill.name);
  return {
    files,
    arguments: given,
    stdin: checkStdin(request.stdin, limits.maxStdinBytes, skill.name),
    env,
    cwd: request.cwd ?? '',
    project: checkProject(request),
    timeoutMs: lower(request.timeoutMs, limits.timeoutMs),
    maxOutputBytes: lower(request.maxOutputBytes, limits.maxOutputBytes),
  };
}

/**
 * Validates environment variables for a script.
 *
 * @throws {SkillError} `invalid-options`
 */
export function checkEnvironment(env: Readonly<Record<string, string>>, runner: string): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || typeof value !== 'string' || value.includes('\0'))
      throw new SkillError(
        'invalid-options',
        `${runner} cannot set the environment variable ${JSON.stringify(name)}. Give names of letters, digits and "_", and text without NUL.`,
      );
    if (loaderVariable.test(name))
      throw new SkillError('invalid-options', `${runner} does not set ${name}: it changes programs that confine a script. Leave it out.`);
  }
  return { ...env };
}

function lower(asked: number | undefined, most: number): number {
  return asked === undefined || !(asked >= 0) ? most : Math.min(asked, most);
}

function copyFiles(files: Readonly<Record<string, Uint8Array>>, maxBytes: number, skill: string): Map<string, Uint8Array> {
  const copies = new Map<string, Uint8Array>();
  let total = 0;
  for (const [path, bytes] of Object.entries(files)) {
    total += bytes.length;
    if (total > maxBytes) throw tooLarge(`The files of skill ${JSON.stringify(skill)} have`, maxBytes, 'maxCopyBytes', skill);
    copies.set(path, new Uint8Array(bytes));
  }
  return copies;
}

function checkTarget({ script, cwd, skill }: SkillRunRequest, files: ReadonlyMap<string, Uint8Array>, runner: string): void {
  if (script !== undefined && !files.has(script)) {
    throw new SkillError(
      'resource-not-found',
      `${runner} finds no script ${JSON.stringify(script)} in skill ${JSON.stringify(skill.name)}. Give a path from its list of files.`,
      {
        skill: skill.name,
        path: script,
      },
    );
  }
  if (cwd !== undefined && cwd !== '' && (!isResourcePath(cwd) || ![...files.keys()].some((path) => path.startsWith(`${cwd}/`)))) {
    throw new SkillError(
      'resource-not-found',
      `Skill ${JSON.stringify(skill.name)} has no folder ${JSON.stringify(cwd)} to start in. Leave cwd out to start in the skill's own folder.`,
      {
        skill: skill.name,
        path: cwd,
      },
    );
  }
}

function checkProject({ project, cwd, skill }: SkillRunRequest): string | null {
  if (project === undefined) return null;
  const isAbsolute = (project.startsWith('/') || project === '.') && !project.includes('\0');
  if (isAbsolute && (cwd ?? '') === '') return project;
  const why = isAbsolute ? 'cwd names a folder of the skill to start in' : 'it is neither an absolute path nor "."';
  throw new SkillError('invalid-options', `A command cannot start in the project ${JSON.stringify(project)}: ${why}.`, {
    skill: skill.name,
  });
}

function checkArguments(given: readonly string[], env: Readonly<Record<string, string>>, skill: string): void {
  if (given.some((argument) => argument.includes('\0')))
    throw new SkillError('invalid-input', 'An argument holds a NUL character, which no program can be given. Leave it out.', { skill });
  const encoder = new TextEncoder();
  const bytes = [...given, ...Object.entries(env).flat()].reduce((sum, text) => sum + encoder.encode(text).length + 1, 0);
  if (bytes > maxArgumentBytes)
    throw new SkillError(
      'limit-exceeded',
      `The arguments have ${bytes} bytes, and at most ${maxArgumentBytes} are passed. Give long text by standard input.`,
      { skill },
    );
}

function checkStdin(stdin: string | Uint8Array | undefined, maxBytes: number, skill: string): Uint8Array {
  const bytes = typeof stdin === 'string' ? new TextEncoder().encode(stdin) : new Uint8Array(stdin ?? []);
  if (bytes.length > maxBytes) throw tooLarge('Standard input has', maxBytes, 'maxStdinBytes', skill);
  return bytes;
}

function tooLarge(what: string, most: number, option: string, skill: string): SkillError {
  return new SkillError('limit-exceeded', `${what} more than ${most} bytes. Raise ${option} of the runner if that is meant to be.`, {
    skill,
  });
}
