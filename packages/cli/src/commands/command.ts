import { messageOf } from '@repertoire/skills-core/internal';
import { styleText } from 'node:util';
import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import type { Command } from 'commander';
import { progressLine } from '../text/progress-line.ts';

/** Where text goes: `process.stdout`, or what a test collects. */
export interface TextOutput {
  /** Whether people see it at once; then it may have colors. @default false */
  readonly isTTY?: boolean | undefined;
  /** How many characters fit on a line of it. @default 80 */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** `0`: done. `1`: the work failed, or skills were refused. `2`: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** What a command runs in. Commands do not read `process`, so tests and programs can run them. */
export interface CommandIo {
  /** Takes the result. */
  readonly stdout: TextOutput;
  /** Takes what is for people: progress, warnings, errors. */
  readonly stderr: TextOutput;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** Gives the work up. */
  readonly signal: AbortSignal;
  /** Asks a person; `undefined` where nobody can be asked. */
  readonly ask: ((question: string, signal: AbortSignal) => Promise<string>) | undefined;
  /** Says how the process is to end; the last word counts. */
  setExitCode(code: ExitCode): void;
}

/** Gives a command its arguments, options and action. Its name and summary are in the table. */
export type RegisterCommand = (command: Command, io: CommandIo) => void;

/** What a command reports while it works. It is printed at once, and part of `--json`. */
export interface CommandReport {
  /** What is being done now: a line of the terminal that the next one replaces. */
  progress(text: string): void;
  /** Takes that line away, before something is written to stdout. */
  clearProgress(): void;
  /** A line for people only. */
  note(line: string): void;
  /** Something to know that did not stop the work. Many of these are summed up at the end. */
  diagnostic(diagnostic: SkillDiagnostic): void;
  /** Many diagnostics, such as those of a listing: errors one by one, the others in one line. */
  diagnostics(all: readonly SkillDiagnostic[]): void;
  /** Something that failed: the command ends with 1, and may go on before. */
  error(error: SkillError): void;
}

/** What a command ends with. */
export interface CommandResult {
  /** One line or a few, for people. */
  readonly summary: string;
  /** Plain data for `--json`; printed beside `ok`, `errors` and `diagnostics`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether `summary` is safe for a terminal already, and has colors of its own. @default false */
  readonly isStyled?: boolean | undefined;
  /** Whether something was found that should be fixed: the exit code is 1. @default false */
  readonly hasFindings?: boolean | undefined;
}

const fewDiagnostics = 3;
/** More than this are summed up at the end. */
const mostTold = 20;

/**
 * Runs what a command does, and turns what comes of it into text, JSON and an exit code. Use it as
 * the body of each action: `.action((…, options) => runCommand(io, options, async (report) => …))`.
 *
 * A `SkillError` is shown with its code and ends with 1, `invalid-options` with 2; so does every
 * other error, without its stack.
 */
export async function runCommand(
  io: CommandIo,
  { json = false, verbose = false }: { readonly json?: boolean | undefined; readonly verbose?: boolean | undefined },
  work: (report: CommandReport) => Promise<CommandResult>,
): Promise<void> {
  const errors: SkillError[] = [];
  const diagnostics: SkillDiagnostic[] = [];
  const progress = progressLine(io.stderr);
  const tell = (text: string): void => {
    progress.clear();
    io.stderr.write(text);
  };
  let told = 0;
  const untold: Pick<SkillDiagnostic, 'severity' | 'code'>[] = [];
  const tellSome = (one: Pick<SkillDiagnostic, 'severity' | 'code'>, text: string): void => {
    told += 1;
    if (verbose || told <= mostTold) tell(text);
    else untold.push(one);
  };
  const report: CommandReport = {
    progress: (text) => progress.show(text),
    clearProgress: () => progress.clear(),
    note: (line) => tell(`${printable(line)}\n`),
    diagnostic: (diagnostic) => {
      diagnostics.push(diagnostic);
      tellSome(diagnostic, diagnosticText(diagnostic, io));
    },
    diagnostics: (all) => {
      const isShort = verbose || all.length <= fewDiagnostics;
      const isShown = ({ severity }: SkillDiagnostic): boolean => isShort || severity === 'error';
      for (const diagnostic of all.filter(isShown)) tellSome(diagnostic, diagnosticText(diagnostic, io));
      diagnostics.push(...all);
      const others = all.filter((diagnostic) => !isShown(diagnostic));
      if (others.length > 0) tell(summaryOfDiagnostics(others, 'diagnostics', io));
    },
    error: (error) => {
      addError(error);
      tellSome({ severity: 'error', code: error.code }, errorText(error, io));
    },
  };
  const addError = (error: SkillError): void => {
    errors.push(error);
    io.setExitCode(error.code === 'invalid-options' ? 2 : 1);
  };
  let result: CommandResult | undefined;
  let end: SkillError | undefined;
  try {
    result = await work(report);
  } catch (error) {
    if (io.signal.aborted) throw error;
    end = asSkillError(error);
    addError(end);
  } finally {
    progress.clear();
  }
  if (untold.length > 0) tell(summaryOfDiagnostics(untold, 'more', io));
  // What ended the work is told, however much was told before.
  if (end !== undefined) tell(errorText(end, io));
  const hasFindings = result?.hasFindings === true;
  if (hasFindings && errors.length === 0) io.setExitCode(1);
  if (json) {
    const document = { ok: errors.length === 0 && !hasFindings, ...result?.data, errors: errors.map(errorData), diagnostics };
    io.stdout.write(`${jsonText(document)}\n`);
  }
  if (result !== undefined && result.summary !== '')
    (json ? io.stderr : io.stdout).write(`${result.isStyled === true ? result.summary : printable(result.summary)}\n`);
}

/** An error for people: what failed with its code, then what to do. */
function errorText(error: SkillError, io: CommandIo): string {
  const where = [error.skill, error.path].filter((part) => part !== undefined && !error.message.includes(part));
  const head = colored(io, 'red', `error ${error.code}`);
  return `${head} ${printable(error.message)}${where.length > 0 ? printable(` (${where.join(', ')})`) : ''}\n`;
}

function diagnosticText({ severity, code, message, path, line, fix }: SkillDiagnostic, io: CommandIo): string {
  const head = colored(io, severity === 'info' ? 'cyan' : severity === 'error' ? 'red' : 'yellow', `${severity} ${code}`);
  const place = path === undefined || message.includes(path) ? '' : ` (${path}${line === undefined ? '' : `:${line}`})`;
  return `${head} ${printable(`${message}${place}`)}\n${fix === undefined ? '' : `  ${printable(fix)}\n`}`;
}

function summaryOfDiagnostics(others: readonly Pick<SkillDiagnostic, 'severity' | 'code'>[], noun: string, io: CommandIo): string {
  const byCode = [...Map.groupBy(others, ({ code }) => code)].sort(([, a], [, b]) => b.length - a.length);
  const color = (['error', 'warning'] as const).find((one) => others.some(({ severity }) => severity === one));
  const head = colored(io, color === undefined ? 'cyan' : color === 'error' ? 'red' : 'yellow', `${others.length} ${noun}`);
  return `${head} ${byCode.map(([code, { length }]) => `${code} (${length})`).join(', ')}. --verbose tells each of them.\n`;
}

function errorData({ code, message, skill, path, source }: SkillError): Readonly<Record<string, unknown>> {
  return { code, message, skill, path, source };
}

function asSkillError(error: unknown): SkillError {
  if (SkillError.isInstance(error)) return error;
  const message = messageOf(error);
  // Errors of the file system and of sockets name the call of the system that failed.
  const isOfSystem = [error, (error as Error | undefined)?.cause].some((each) => each instanceof Error && 'syscall' in each);
  return isOfSystem
    ? new SkillError('source-unavailable', `${message}. This was not expected; check files, permissions and network.`, { cause: error })
    : new SkillError('unexpected', `${message}. This was not expected; if it is not of your own code, report it.`, { cause: error });
}

function colored({ stderr, env }: CommandIo, color: 'red' | 'yellow' | 'cyan', text: string): string {
  return hasColors(stderr, env) ? styleText(color, text, { validateStream: false }) : text;
}

/** Whether an output is a terminal that shows colors. */
export function hasColors({ isTTY }: TextOutput, env: CommandIo['env']): boolean {
  return isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

/** JSON without the control and bidi characters that `JSON.stringify` leaves unescaped. */
export function jsonText(document: unknown): string {
  // `JSON.stringify` escapes what is below. Most text is ASCII and is skipped.
  return JSON.stringify(document, null, 2).replace(/[^\u0000-\u007E]/gu, (character) =>
    /\p{C}/u.test(character)
      ? [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
      : character,
  );
}

/** Text of skills may be hostile: no sign of it moves the cursor or hides what stands there. */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, '\uFFFD');
}
