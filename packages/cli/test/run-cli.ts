import { run, type ExitCode } from '@repertoire/cli';

/** What came of a command that was run in this process. */
export interface CliOutcome {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runCli(
  cwd: string,
  argv: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly isTTY?: boolean;
    readonly signal?: AbortSignal;
    readonly ask?: (question: string) => Promise<string>;
  } = {},
): Promise<CliOutcome> {
  const text = { stdout: '', stderr: '' };
  const { env = {}, isTTY = false, signal, ask } = options;
  const output = (name: 'stdout' | 'stderr') => ({ isTTY, write: (more: string) => (text[name] += more) });
  const code = await run(argv, { stdout: output('stdout'), stderr: output('stderr'), cwd, env, signal, ...(ask !== undefined && { ask }) });
  return { code, ...text };
}
