import { isTrusted, SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import {
  applyArguments,
  assertKnownOptions,
  isInterrupt,
  numberOption,
  oneLine,
  withoutTrailing,
  type OptionRules,
} from '@repertoire/skills-core/internal';
import { abortable, findSnippets, type SkillRunner, type SkillRunOptions, type SkillRunResult } from '@repertoire/skills-core/provider';
import { cutToBytes } from '../request/cut-output.ts';
import { placeOutputs } from './place-outputs.ts';
import { snippetTexts } from '../prompt/script-texts.ts';

/** What {@link expandSnippets} needs. */
export interface ExpandSnippetsOptions extends Pick<SkillRunOptions, 'digest' | 'files' | 'inputs' | 'env' | 'signal'> {
  /** The runner that the host chose for snippets. */
  readonly runner: SkillRunner;
  /** The skill. Nothing runs unless its origin is trusted, or `isGranted` is set. */
  readonly skill: Pick<SkillMetadata, 'name' | 'version' | 'origin' | 'arguments' | 'argumentHint'>;
  /** A person granted its commands, so that its trust is not asked. @default false */
  readonly isGranted?: boolean | undefined;
  /**
   * What the skill is called with. It is put into the body after all commands ran, and not into
   * their output: an argument can become no part of a command, and a `$1` in an output stays as it
   * is.
   * @default the body is left as it is
   */
  readonly arguments?: string | undefined;
  /** Absolute path of a folder in which commands start. @default the skill's own folder */
  readonly project?: string | undefined;
  /** Milliseconds for one command. @default 10000 */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for all commands of the body. @default 30000 */
  readonly totalTimeoutMs?: number | undefined;
  /** Bytes of output that one command may put into the body. @default 16384 */
  readonly maxOutputBytes?: number | undefined;
  /** Bytes of output of all commands. @default 65536 */
  readonly maxTotalOutputBytes?: number | undefined;
  /** The most commands that are run; further ones become an `[error: …]`. @default 20 */
  readonly maxSnippets?: number | undefined;
  /** Milliseconds of a steady clock. @default performance.now */
  readonly now?: (() => number) | undefined;
}

/** A body with the output of its commands. */
export interface ExpandedSnippets {
  /** The text. */
  readonly body: string;
  /** How many commands the runner was given. */
  readonly ran: number;
  /** Commands that failed, were not run, or read arguments that they cannot get. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** How long a runner may take to end a command whose time is over. */
const graceMs = 2_000;
/** The most milliseconds that a command can be given. */
export const maxSnippetTimeoutMs = 600_000;
/** Bytes of output that one command may put into the body, unless the host says otherwise. */
export const defaultMaxSnippetBytes = 16_384;
const maxShownCommand = 60;
const maxShownError = 300;

const knownOptions: OptionRules<ExpandSnippetsOptions> = {
  runner: '{}',
  skill: '{}',
  arguments: 'string',
  isGranted: 'boolean',
  project: 'string',
  timeoutMs: 'number',
  totalTimeoutMs: 'number',
  maxOutputBytes: 'number',
  maxTotalOutputBytes: 'number',
  maxSnippets: 'number',
  now: '()',
  digest: 'string',
  files: '{}',
  inputs: '{}',
  env: '{}',
  signal: '{}',
};

/**
 * Replaces the shell snippets of a body (`` !`command` ``) by the standard output of their
 * commands, without the line ends at its end.
 *
 * - Commands run one after another, in the order of the body, in the skill's own folder or in that
 *   of `project`.
 * - A command that fails, takes too long or cannot be run becomes `[error: …]`; the body is always
 *   returned.
 * - Output is put in once: a snippet that stands in an output is text.
 * - The body of a skill that is not trusted is returned with its snippets as they are, and a
 *   diagnostic `snippets-untrusted`.
 *
 * Diagnostics have the codes `snippets-untrusted`, `snippet-failed`, `snippet-limit` and
 * `snippet-reads-arguments`.
 *
 * @throws {SkillError} `invalid-options` for a limit that is no number or out of range. An abort
 *   rejects with the signal's reason.
 * @example
 * ```ts
 * import { expandSnippets } from '@repertoire/skill-runner/scripts';
 * import type { Skill } from '@repertoire/skills-core';
 * import type { SkillRunner } from '@repertoire/skills-core/provider';
 *
 * export async function bodyOf(skill: Skill, runner: SkillRunner, digest: string, given: string): Promise<string> {
 *   const { body } = await expandSnippets(skill.body, { runner, skill, digest, files: {}, arguments: given });
 *   return body;
 * }
 * ```
 */
export async function expandSnippets(body: string, options: ExpandSnippetsOptions): Promise<ExpandedSnippets> {
  assertKnownOptions('expandSnippets', options, knownOptions);
  const { runner, skill, digest, files, inputs, env, project, signal, arguments: given, now = () => performance.now() } = options;
  const number = (
    name: 'timeoutMs' | 'totalTimeoutMs' | 'maxOutputBytes' | 'maxTotalOutputBytes' | 'maxSnippets',
    fallback: number,
    most: number,
  ): number => numberOption(name, options[name], { of: 'expandSnippets', fallback, least: 1, most, whole: true });
  const mostMs = number('timeoutMs', 10_000, maxSnippetTimeoutMs);
  const totalMs = number('totalTimeoutMs', 30_000, 3_600_000);
  const maxOutputBytes = number('maxOutputBytes', defaultMaxSnippetBytes, 16_777_216);
  const totalBytes = number('maxTotalOutputBytes', 65_536, 67_108_864);
  const maxSnippets = number('maxSnippets', 20, 1_000);
  const { reasons } = snippetTexts;
  const substitute = (text: string): string => (given === undefined ? text : applyArguments({ ...skill, body: text }, given));
  signal?.throwIfAborted();
  const snippets = findSnippets(body);
  if (snippets.length === 0) return { body: substitute(body), ran: 0, diagnostics: [] };
  if (!isTrusted(skill) && options.isGranted !== true)
    return { body: substitute(body), ran: 0, diagnostics: [untrusted(skill.name, snippets.length)] };

  const endsAt = now() + totalMs;
  let bytesLeft = totalBytes;

  /** Runs one command. Returns its output, or why there is none. */
  async function run(command: string): Promise<{ readonly text: string } | { readonly failure: string }> {
    const timeoutMs = Math.max(1, Math.ceil(Math.min(mostMs, endsAt - now())));
    const most = Math.min(maxOutputBytes, bytesLeft);
    const name = shown(command);
    // A runner that forgets its limit of time must not hold the skill up.
    const late = AbortSignal.timeout(timeoutMs + graceMs);
    const either = signal === undefined ? late : AbortSignal.any([signal, late]);
    const request = { skill, digest, files, inputs, env, project, signal: either, command, timeoutMs, maxOutputBytes };
    let result: SkillRunResult;
    try {
      result = await abortable(() => runner.run(request), either);
    } catch (thrown) {
      signal?.throwIfAborted();
      if (isInterrupt(thrown)) throw thrown;
      if (late.aborted) return { failure: reasons.timeout(name, timeoutMs) };
      return { failure: reasons.failed(name, short(SkillError.isInstance(thrown) ? thrown.message : 'the runner failed')) };
    }
    const { endedBy, exitCode } = result;
    if (endedBy === 'timeout') return { failure: reasons.timeout(name, timeoutMs) };
    if (endedBy === 'files') return { failure: reasons.files(name) };
    if (endedBy === 'exit' && exitCode !== 0) return { failure: reasons.exit(name, exitCode ?? -1, short(result.stderr)) };
    const { text, cut } = cutToBytes(plain(result.stdout), most);
    const trimmed = withoutTrailing(text, '\n');
    return { text: cut || endedBy === 'output' ? `${trimmed}\n${snippetTexts.cut(most)}` : trimmed };
  }

  const diagnostics: SkillDiagnostic[] = [];
  const outputs: string[] = [];
  let ran = 0;
  for (const { command, start } of snippets) {
    const report = (code: string, message: string): void => {
      diagnostics.push({ code, severity: 'warning', message, skill: skill.name, line: body.slice(0, start).split('\n').length });
    };
    const refusal =
      outputs.length >= maxSnippets
        ? reasons.tooMany(maxSnippets)
        : now() >= endsAt
          ? reasons.noTime(totalMs)
          : bytesLeft <= 0
            ? reasons.noRoom(totalBytes)
            : null;
    if (refusal !== null) {
      report('snippet-limit', `${shown(command)}: ${refusal}.`);
      outputs.push(snippetTexts.error(refusal));
      continue;
    }
    if (/\$(?:ARGUMENTS|\{?[0-9@*])/.test(command))
      report('snippet-reads-arguments', `${shown(command)} reads arguments, which commands never get. They are empty there.`);
    ran += 1;
    const result = await run(command);
    const output = 'text' in result ? result.text : snippetTexts.error(result.failure);
    if ('failure' in result) report('snippet-failed', output);
    bytesLeft -= new TextEncoder().encode(output).length;
    outputs.push(output);
  }
  return { body: placeOutputs(body, snippets, outputs, substitute), ran, diagnostics };
}

/** Drops escape sequences and control characters but line feeds and tabs. */
function plain(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\u001B\[[0-9;?]*[A-Za-z]/g, '')
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g, '');
}

function shown(command: string): string {
  const line = oneLine(command);
  return `"${line.length > maxShownCommand ? `${line.slice(0, maxShownCommand)}…` : line}"`;
}

/** Returns the end of an error text, which is where programs say what is wrong. */
function short(text: string): string {
  const line = oneLine(plain(text.slice(-4 * maxShownError)));
  return line.length > maxShownError ? `…${line.slice(-maxShownError)}` : line;
}

function untrusted(skill: string, count: number): SkillDiagnostic {
  return {
    code: 'snippets-untrusted',
    severity: 'warning',
    message: `${count} shell ${count === 1 ? 'command' : 'commands'} in the body of ${JSON.stringify(skill)} did not run: its source is not trusted.`,
    skill,
    fix: 'Trust the source in the options of its provider if you have read the skill.',
  };
}
