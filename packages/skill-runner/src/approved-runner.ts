import { SkillError, type SkillErrorCode } from '@repertoire/skills-core';
import { abortable, sha256Hex, skillDigest, type SkillRunner, type SkillRunRequest } from '@repertoire/skills-core/provider';

/** What a person is asked to approve. */
export interface ApprovalRequest {
  /**
   * Digest of everything below: the files, the script, arguments, standard input, inputs, names of
   * variables and their values, and the runner. An answer that names it is an answer to exactly
   * this.
   */
  readonly question: string;
  /** Name of the skill. */
  readonly skill: string;
  /** Version of the skill, if it has one. */
  readonly version: string | undefined;
  /** Label of its source. */
  readonly source: string | undefined;
  /** Path of the script; `undefined` for a command. */
  readonly script: string | undefined;
  /** The command line; `undefined` for a script. */
  readonly command: string | undefined;
  /** Text of the script, for display. */
  readonly text: string | undefined;
  /** SHA-256 of the script's bytes. */
  readonly scriptDigest: string | undefined;
  /** Digest of all files of the skill. */
  readonly digest: string;
  /** Arguments of the script. A model may have written them. */
  readonly arguments: readonly string[];
  /** Bytes of standard input. */
  readonly stdinBytes: number;
  /** Standard input as text, for display; empty if there is none. A model may have written it. */
  readonly stdin: string;
  /** SHA-256 of standard input. */
  readonly stdinDigest: string;
  /** Files that the host adds, with their digests. */
  readonly inputs: readonly { readonly path: string; readonly size: number; readonly digest: string }[];
  /** Names of the script's environment variables. */
  readonly env: readonly string[];
  /** Label of the runner that would run it. */
  readonly runner: string;
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal | undefined;
}

/**
 * The answer. Anything except `true` and `{ approved: true }` means no. With `question`, it is an
 * answer to that question and no other. Give it whenever the answer comes later than the call of
 * `ask`, for example after an interrupt: the node then runs again, and its inputs may have changed.
 */
export type ApprovalAnswer =
  | boolean
  | { readonly approved: boolean; readonly question?: string | undefined; readonly reason?: string | undefined };

/**
 * Asks for approval before every run. The files are checked against the digest before the question,
 * and the inner runner gets a copy that cannot change while the person decides.
 *
 * @param ask shows the request to a person and returns the answer. If it rejects, nothing runs
 * @throws {SkillError} from `run`: `permission-denied` if the answer is no; `digest-mismatch`; what
 *   the inner runner throws
 * @example
 * ```ts
 * import { approvedRunner } from '@repertoire/skill-runner';
 * import type { SkillRunner } from '@repertoire/skills-core/provider';
 *
 * export function withApproval(runner: SkillRunner, confirm: (question: string) => Promise<boolean>): SkillRunner {
 *   const approved = new Set<string>();
 *   return approvedRunner(runner, async ({ question, skill, script, command, stdin, arguments: given }) => {
 *     if (approved.has(question)) return true;
 *     const yes = await confirm(`Run ${script ?? command ?? ''} of ${skill} with ${JSON.stringify([given, stdin])}?`);
 *     if (yes) approved.add(question);
 *     return yes;
 *   });
 * }
 * ```
 */
export function approvedRunner(
  runner: SkillRunner,
  ask: (request: ApprovalRequest) => Promise<ApprovalAnswer> | ApprovalAnswer,
): SkillRunner {
  return {
    label: runner.label,
    async run(request) {
      request.signal?.throwIfAborted();
      const own = ownCopy(request);
      const { skill, script, command } = own;
      if ((await skillDigest(own.files)) !== own.digest) {
        const message = `The files of skill ${JSON.stringify(skill.name)} are not those that its digest names. Load the skill again.`;
        throw new SkillError('digest-mismatch', message, { skill: skill.name });
      }
      const what = `${JSON.stringify(script ?? command)} of skill ${JSON.stringify(skill.name)}`;
      const refuse = (code: SkillErrorCode, message: string): never => {
        throw new SkillError(code, message, { skill: skill.name, ...(script !== undefined && { path: script }) });
      };
      const question = await questionOf(own, runner.label);
      const answer: unknown = await abortable(() => ask(question), own.signal);
      if (answer !== true && ownValue(answer, 'approved') !== true) {
        const reason = ownValue(answer, 'reason');
        const why = typeof reason === 'string' ? `: ${reason}` : '';
        refuse('permission-denied', `The user did not approve running ${what}${why}. Go on without it, or ask what to do.`);
      }
      const named = ownValue(answer, 'question');
      if (named !== undefined && named !== question.question)
        refuse('digest-mismatch', `What ${what} would run with is not what the user approved: it changed meanwhile. Ask again.`);
      return await runner.run(own);
    },
  };
}

function ownCopy(request: SkillRunRequest): SkillRunRequest {
  const copies = (files: Readonly<Record<string, Uint8Array>>): Record<string, Uint8Array> =>
    Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, new Uint8Array(bytes)]));
  return {
    ...request,
    files: copies(request.files),
    inputs: request.inputs && copies(request.inputs),
    arguments: request.arguments && [...request.arguments],
    env: request.env && { ...request.env },
    stdin: typeof request.stdin === 'string' ? request.stdin : request.stdin && new Uint8Array(request.stdin),
  };
}

async function questionOf(request: SkillRunRequest, runner: string): Promise<ApprovalRequest> {
  const { skill, script, command, files, digest, stdin = '', env = {}, cwd = '', project, signal } = request;
  const bytes = script === undefined ? undefined : files[script];
  const input = typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin;
  const inputs = await Promise.all(
    Object.entries(request.inputs ?? {})
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([path, content]) => ({ path, size: content.length, digest: await sha256Hex(content) })),
  );
  const stdinDigest = await sha256Hex(input);
  const given = [...(request.arguments ?? [])];
  const variables = Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const origin = [skill.origin?.label ?? '', skill.origin?.place ?? '', skill.name, skill.version];
  const target = [script ?? null, command ?? null, given, stdinDigest, inputs, variables, cwd, project ?? null];
  return {
    question: await sha256Hex(JSON.stringify([origin, digest, ...target, runner])),
    skill: skill.name,
    version: skill.version ?? undefined,
    source: skill.origin?.label,
    script,
    command,
    text: bytes && new TextDecoder().decode(bytes),
    scriptDigest: bytes && (await sha256Hex(bytes)),
    digest,
    arguments: given,
    stdinBytes: input.length,
    stdin: new TextDecoder().decode(input),
    stdinDigest,
    inputs,
    env: Object.keys(env),
    runner,
    signal,
  };
}

/** Returns an answer's own value. Prototypes are ignored. */
function ownValue(answer: unknown, name: string): unknown {
  return typeof answer === 'object' && answer !== null ? Object.getOwnPropertyDescriptor(answer, name)?.value : undefined;
}
