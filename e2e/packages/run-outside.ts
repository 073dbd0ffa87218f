import { runCommand, type CommandResult } from '../../tools/run-command.ts';

/** Runs a command in a folder outside of this repository, where it finds nothing of it. */
export function runOutside(
  command: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<CommandResult> {
  // pnpm starts Vitest with a `NODE_PATH`, by which `require` would find every package of this repository.
  return runCommand(command, { directory, environment: { ...environment, NODE_PATH: '' } });
}
