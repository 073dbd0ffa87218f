import { runCommand, type CommandIo, type CommandReport, type CommandResult } from '../commands/command.ts';
import type { OpenedSource } from '../source/open-source.ts';
import { aborted } from '../text/aborted.ts';

/** What a command opened, and closes when it ends. */
export interface Serving {
  source?: OpenedSource;
  /** If there is one, the command goes on until it ended, or until it is stopped. */
  running?: AsyncDisposable & { readonly ended?: Promise<void> };
  onEnd?: () => void;
}

/** Runs a command that serves until it is stopped. */
export async function runServing(
  io: CommandIo,
  options: { readonly json?: boolean | undefined },
  start: (serving: Serving, report: CommandReport) => Promise<CommandResult>,
): Promise<void> {
  const serving: Serving = {};
  try {
    await runCommand(io, options, async (report) => await start(serving, report));
    const { running } = serving;
    if (running !== undefined) await Promise.race([...(running.ended === undefined ? [] : [running.ended]), aborted(io.signal)]);
  } finally {
    serving.onEnd?.();
    await serving.running?.[Symbol.asyncDispose]();
    await serving.source?.[Symbol.asyncDispose]();
  }
}
