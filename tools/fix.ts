/**
 * `pnpm fix [--allow-breaking]`: mends what can be mended by machine (lint, layout) and writes anew the API snapshots and the list of proved patterns. Without
 * `--allow-breaking` a snapshot is not written where something public went away.
 */
import { runCommand } from './run-command.ts';

const commands = [
  ['oxlint', '--fix'],
  ['oxfmt'],
  ['turbo', 'run', 'build', '--output-logs=errors-only'],
  ['node', 'tools/check-api.ts', '--update', ...process.argv.slice(2)],
  ['node', 'tools/check-patterns.ts', '--update'],
];
for (const command of commands) {
  const { ok, output } = await runCommand(command);
  if (ok) continue;
  console.log(`${command.join(' ')}\n${output}`);
  process.exitCode = 1;
}
