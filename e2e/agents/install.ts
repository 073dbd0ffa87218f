/** Runs once before the tests of this folder: installs the frameworks, which are no part of the project's own lockfile. */
import { runCommand } from '../../tools/run-command.ts';

export async function setup(): Promise<void> {
  const { ok, output } = await runCommand(['pnpm', '--dir', 'e2e/agents', 'install', '--frozen-lockfile', '--prefer-offline']);
  if (!ok) throw new Error(`The frameworks of e2e/agents could not be installed:\n${output}`);
}
