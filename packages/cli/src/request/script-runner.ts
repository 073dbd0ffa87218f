import type { SkillRunner } from '@repertoire/skills-core/provider';
import type { ApprovalRequest } from '@repertoire/skill-runner';
import { printable, type CommandIo, type CommandReport } from '../commands/command.ts';
import { importOptional } from '../optional/import-optional.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** How scripts are run. */
export interface ScriptRunnerOptions {
  readonly kind: 'process' | 'just-bash';
  /** Whether every script is approved beforehand. */
  readonly isApproved: boolean;
  /** Whether scripts may run where nothing confines them. */
  readonly isUnconfined: boolean;
}

const shownLines = 30;

/** A runner that asks before each run. Where nobody can be asked, nothing runs. */
export async function scriptRunner(
  { kind, isApproved, isUnconfined }: ScriptRunnerOptions,
  io: Pick<CommandIo, 'ask' | 'signal'>,
  report: CommandReport,
): Promise<SkillRunner> {
  const { approvedRunner } = await import('@repertoire/skill-runner');
  const runner = kind === 'process' ? await processes(isUnconfined, report) : await shellInMemory();
  // Calls of one step run at once, and a terminal has one line for an answer.
  let last: Promise<unknown> = Promise.resolve();
  return approvedRunner(runner, async (request) => {
    if (isApproved) {
      report.note(`· runs ${nameOf(request)}`);
      return true;
    }
    const { ask } = io;
    if (ask === undefined) return { approved: false, reason: 'nobody can be asked here; --yes approves scripts beforehand' };
    const answer = last.then(async () => await ask(`${printable(questionOf(request))}\nRun it? [y/N] `, request.signal ?? io.signal));
    last = answer.catch(() => undefined);
    return /^\s*y(?:es)?\s*$/i.test(await answer);
  });
}

async function processes(isUnconfined: boolean, report: CommandReport): Promise<SkillRunner> {
  const { processRunner } = await import('@repertoire/skill-runner/process');
  return processRunner({ requireConfinement: !isUnconfined, onDiagnostic: (diagnostic) => report.diagnostic(diagnostic) });
}

async function shellInMemory(): Promise<SkillRunner> {
  const { Bash } = await importOptional('just-bash', '--runner just-bash needs', () => import('just-bash'));
  const { justBashRunner } = await import('@repertoire/skill-runner/just-bash');
  return justBashRunner({ create: (options) => new Bash(options) });
}

function nameOf({ skill, script, command }: ApprovalRequest): string {
  return `${script ?? command ?? 'a script'} of ${skill}`;
}

function questionOf(request: ApprovalRequest): string {
  const { arguments: given, source, digest, text, runner } = request;
  return [
    `The model wants to run ${nameOf(request)}${source === undefined ? '' : ` (${source})`}, by ${runner}.`,
    ...(given.length === 0 ? [] : [`  arguments: ${JSON.stringify(given)}`]),
    `  skill: sha256 ${digest.slice(0, 16)}…`,
    ...(request.stdinBytes === 0
      ? []
      : [`  standard input: ${request.stdinBytes} bytes, sha256 ${request.stdinDigest.slice(0, 16)}…`, ...linesOf(request.stdin)]),
    ...request.inputs.map(({ path, size, digest: of }) => `  input: ${path}, ${size} bytes, sha256 ${of.slice(0, 16)}…`),
    ...(text === undefined ? [] : linesOf(text)),
  ].join('\n');
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const rest = lines.length - shownLines;
  return [...lines.slice(0, shownLines).map((line) => `  | ${line}`), ...(rest > 0 ? [`  | … ${rest} more lines`] : [])];
}

/** @throws {SkillError} `invalid-options` for options that only count with a runner */
export function checkRunnerOptions(options: {
  readonly runner?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly unconfined?: boolean | undefined;
  readonly file?: readonly string[] | undefined;
}): void {
  if (options.runner === undefined && options.file !== undefined)
    throw wrongUsage('--file is for scripts, and without --runner none runs. Give --runner process or --runner just-bash.');
  if (options.runner === undefined && options.yes === true)
    throw wrongUsage('--yes approves scripts, and without --runner none runs. Give --runner process or --runner just-bash.');
  if (options.runner !== 'process' && options.unconfined === true) throw wrongUsage('--unconfined is for --runner process.');
}
