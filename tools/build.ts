/** Builds every package, and says nothing unless that fails. */
import { runCommand } from './run-command.ts';

const { ok, output } = await runCommand(['turbo', 'run', 'build', '--output-logs=errors-only']);
if (!ok) {
  console.error(output);
  process.exitCode = 1;
}
