import { Command, CommanderError, type Help } from 'commander';
import { addToProgram, commandTable } from './commands/command-table.ts';
import type { CommandIo, ExitCode, TextOutput } from './commands/command.ts';
import { ownVersion } from './text/own-version.ts';
import { usualColumns } from './text/progress-line.ts';
import { wrapLines } from './text/wrap-lines.ts';

/** What {@link run} works with instead of `process`. */
export interface RunOptions {
  /** @default process.stdout */
  readonly stdout?: TextOutput | undefined;
  /** @default process.stderr */
  readonly stderr?: TextOutput | undefined;
  /** Environment variables. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The folder that relative paths start from. @default process.cwd() */
  readonly cwd?: string | undefined;
  /**
   * Asks a person a question, and gives the answer; for what must be approved. @default on the
   * terminal; where there is none, nobody is asked
   */
  readonly ask?: ((question: string, signal: AbortSignal) => Promise<string>) | undefined;
  /** Gives the work up; `run` then rejects with its reason. @default never aborted */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the `repertoire` command in this process, and never ends it.
 *
 * @param argv the arguments behind `repertoire`, such as
 *   `['bundle', 'skills', '--out', 'src/skills.gen.ts']`
 * @returns the exit code: `0` done, `1` the work failed or skills were refused, `2` wrong usage
 * @example
 * ```ts
 * import { run } from '@repertoire/cli';
 *
 * if ((await run(['bundle', 'skills', '--out', 'src/skills.gen.ts', '--check'])) !== 0) throw new Error('Run: npm run bundle-skills');
 * ```
 */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const io: CommandIo = {
    stdout: options.stdout ?? process.stdout,
    stderr: options.stderr ?? process.stderr,
    env: options.env ?? process.env,
    cwd: options.cwd ?? process.cwd(),
    signal: options.signal ?? new AbortController().signal,
    ask: options.ask ?? (process.stdin.isTTY && process.stderr.isTTY ? askOnTerminal : undefined),
    setExitCode: (code) => {
      exitCode = code;
    },
  };
  const program = new Command('repertoire')
    .description('Skills (SKILL.md folders) for TypeScript agents: from folders to where agents read them.')
    .version(ownVersion())
    .exitOverride()
    .configureOutput({
      // What commands add to their help is written for wide terminals.
      writeOut: (text) => io.stdout.write(io.stdout.columns === undefined ? text : wrapLines(text, io.stdout.columns)),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? usualColumns,
      getErrHelpWidth: () => io.stderr.columns ?? usualColumns,
    })
    .configureHelp({ subcommandTerm, formatItem, minWidthToWrap: 20 })
    .showHelpAfterError('Run with --help to see what there is.')
    .addHelpText('after', helpFooter);
  await registerCommands(program, argv, io);
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return exitCode;
}

/** Imports only the command that is called. The first word that is no option names it. */
async function registerCommands(program: Command, argv: readonly string[], io: CommandIo): Promise<void> {
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  const called = first === 'help' ? second : first;
  for (const entry of commandTable) {
    if (entry.name === called) await addToProgram(program, entry, io);
    else program.command(`${entry.name} ${entry.usage}`).summary(entry.summary).option('--json');
  }
}

const narrowColumns = 60;

/** Every command has options; saying so of each would take a quarter of a line. */
function subcommandTerm(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...words].join(' ');
}

function formatItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? usualColumns;
  const isNarrow = width < narrowColumns;
  const indent = isNarrow ? 4 : 2 + termWidth + 2;
  const wrapped = helper.boxWrap(description, Math.max(width - indent, 20)).replaceAll('\n', `\n${' '.repeat(indent)}`);
  if (description === '') return `  ${term}`;
  return isNarrow ? `  ${term}\n    ${wrapped}` : `  ${term.padEnd(termWidth)}  ${wrapped}`;
}

/** The question goes to stderr: stdout has the result. */
async function askOnTerminal(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question, { signal });
  } finally {
    terminal.close();
  }
}

const helpFooter = `
Exit codes: 0 done, 1 the work failed or something was found, 2 wrong usage.

Examples:
  repertoire new release-notes
  repertoire check ./skills
  repertoire lint ./skills
  repertoire catalog ./skills
  repertoire bundle ./skills --out src/skills.gen.ts

Run repertoire <command> --help for the options of a command.`;
