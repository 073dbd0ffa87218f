import { SkillError, type SkillErrorCode } from '@repertoire/skills-core';
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
  const { script, cwd = '', command = '', project, signal, inputs = {} } = request;
  const skill = request.skill.name;
  const named = `skill ${JSON.stringify(skill)}`;
  const refuse = (code: SkillErrorCode, message: string, path?: string): never => {
    throw new SkillError(code, message, { skill, ...(path !== undefined && { path }) });
  };
  const limit = (what: string, bytes: number, option: 'maxCopyBytes' | 'maxStdinBytes'): void => {
    if (bytes <= limits[option]) return;
    refuse('limit-exceeded', `${what} more than ${limits[option]} bytes. Raise ${option} of the runner if that is meant to be.`);
  };

  signal?.throwIfAborted();
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const [path, content] of Object.entries(request.files)) {
    bytes += content.length;
    limit(`The files of ${named} have`, bytes, 'maxCopyBytes');
    files.set(path, new Uint8Array(content));
  }
  const digest = await skillDigest(Object.fromEntries(files));
  signal?.throwIfAborted();
  if (digest !== request.digest)
    refuse(
      'digest-mismatch',
      `The files of ${named} are not those that were approved: their digest is ${digest}, expected ${request.digest}. Load the skill again, and review what changed.`,
    );
  for (const { length } of Object.values(inputs)) bytes += length;
  limit('The files and inputs of this run have', bytes, 'maxCopyBytes');

  // An input is no script and no folder of the skill, so it comes later.
  if (script !== undefined && !files.has(script))
    refuse(
      'resource-not-found',
      `${runner} finds no script ${JSON.stringify(script)} in ${named}. Give a path from its list of files.`,
      script,
    );
  if (cwd !== '' && (!isResourcePath(cwd) || ![...files.keys()].some((path) => path.startsWith(`${cwd}/`))))
    refuse(
      'resource-not-found',
      `Skill ${JSON.stringify(skill)} has no folder ${JSON.stringify(cwd)} to start in. Leave cwd out to start in the skill's own folder.`,
      cwd,
    );
  addInputs(files, request);
  const env = checkEnvironment(request.env ?? {}, runner);
  const given = [...(request.arguments ?? [])];
  const texts = [...given, command];
  if (texts.some((text) => text.includes('\0')))
    refuse('invalid-input', 'An argument holds a NUL character, which no program can be given. Leave it out.');
  const encoder = new TextEncoder();
  const length = [...texts, ...Object.entries(env).flat()].reduce((sum, text) => sum + encoder.encode(text).length + 1, 0);
  if (length > maxArgumentBytes)
    refuse(
      'limit-exceeded',
      `The arguments have ${length} bytes, and at most ${maxArgumentBytes} are passed. Give long text by standard input.`,
    );
  const stdin = typeof request.stdin === 'string' ? encoder.encode(request.stdin) : new Uint8Array(request.stdin ?? []);
  limit('Standard input has', stdin.length, 'maxStdinBytes');
  if (project !== undefined) {
    const isAbsolute = (project.startsWith('/') || project === '.') && !project.includes('\0');
    const why = isAbsolute ? 'cwd names a folder of the skill to start in' : 'it is neither an absolute path nor "."';
    if (!isAbsolute || cwd !== '') refuse('invalid-options', `A command cannot start in the project ${JSON.stringify(project)}: ${why}.`);
  }
  return {
    files,
    arguments: given,
    stdin,
    env,
    cwd,
    project: project ?? null,
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
