import { SkillError } from '@repertoire/skills-core';
import { abortable, sha256Hex, skillDigest, type SkillRunner, type SkillRunRequest } from '@repertoire/skills-core/provider';

/** What a person is asked to approve. */
export interface ApprovalRequest {
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
  /**
   * Digest of all files of the skill. Equal digests mean equal files, so an approval can be
   * remembered by it.
   */
  readonly digest: string;
  /** Arguments of the script. A model may have written them. */
  readonly arguments: readonly string[];
  /** Bytes of standard input. */
  readonly stdinBytes: number;
  /** Names of the script's environment variables. */
  readonly env: readonly string[];
  /** Label of the runner that would run it. */
  readonly runner: string;
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal | undefined;
}

/** The answer. Anything except `true` and `{ approved: true }` means no. */
export type ApprovalAnswer = boolean | { readonly approved: boolean; readonly reason?: string | undefined };

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
 *   return approvedRunner(runner, async ({ skill, script, command, digest, arguments: given }) => {
 *     const what = JSON.stringify([skill, digest, script, command, given]);
 *     if (approved.has(what)) return true;
 *     const yes = await confirm(`Run ${script ?? command ?? ''} of ${skill} with ${JSON.stringify(given)}?`);
 *     if (yes) approved.add(what);
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
      if ((await skillDigest(own.files)) !== own.digest)
        throw new SkillError(
          'digest-mismatch',
          `The files of skill ${JSON.stringify(own.skill.name)} are not those that its digest names. Load the skill again.`,
          {
            skill: own.skill.name,
          },
        );
      const question = await questionOf(own, runner.label);
      const answer: unknown = await abortable(() => ask(question), own.signal);
      if (!isYes(answer)) throw refused(own, answer);
      return runner.run(own);
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
  const { skill, script, command, files, digest, stdin = '', env = {}, signal } = request;
  const bytes = script === undefined ? undefined : files[script];
  return {
    skill: skill.name,
    version: skill.version ?? undefined,
    source: skill.origin?.label,
    script,
    command,
    text: bytes && new TextDecoder().decode(bytes),
    scriptDigest: bytes && (await sha256Hex(bytes)),
    digest,
    arguments: [...(request.arguments ?? [])],
    stdinBytes: typeof stdin === 'string' ? new TextEncoder().encode(stdin).length : stdin.length,
    env: Object.keys(env),
    runner,
    signal,
  };
}

function isYes(answer: unknown): boolean {
  return answer === true || (typeof answer === 'object' && answer !== null && 'approved' in answer && answer.approved === true);
}

function refused({ skill, script, command }: SkillRunRequest, answer: unknown): SkillError {
  const reason =
    typeof answer === 'object' && answer !== null && 'reason' in answer && typeof answer.reason === 'string' ? `: ${answer.reason}` : '';
  return new SkillError(
    'permission-denied',
    `The user did not approve running ${JSON.stringify(script ?? command)} of skill ${JSON.stringify(skill.name)}${reason}. Go on without it, or ask what to do.`,
    { skill: skill.name, ...(script !== undefined && { path: script }) },
  );
}
