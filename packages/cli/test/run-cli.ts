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
  options: { readonly env?: Readonly<Record<string, string>>; readonly isTTY?: boolean; readonly signal?: AbortSignal } = {},
): Promise<CliOutcome> {
  const text = { stdout: '', stderr: '' };
  const { env = {}, isTTY = false, signal } = options;
  const output = (name: 'stdout' | 'stderr') => ({ isTTY, write: (more: string) => (text[name] += more) });
  const code = await run(argv, { stdout: output('stdout'), stderr: output('stderr'), cwd, env, signal });
  return { code, ...text };
}
