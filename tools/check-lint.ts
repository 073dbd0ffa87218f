/**
 * Lints everything and type-checks it along, each file by its nearest `tsconfig.json`, which says for a package whether it may know of Node. One program per
 * configuration serves both; the compiler alone would make each of them once more. That exports carry their types is seen by the build, which makes declarations
 * file by file.
 */
import { runCommand } from './run-command.ts';

/** A workspace of its own: its frameworks are installed by its tests, one of which checks the types. */
const withoutTypes = 'e2e/agents';

for (const parameters of [['--type-check', '--ignore-pattern', `${withoutTypes}/**`], [withoutTypes]]) {
  const { ok, output } = await runCommand(['oxlint', '--deny-warnings', ...parameters]);
  if (ok) continue;
  console.log(output);
  process.exitCode = 1;
}
