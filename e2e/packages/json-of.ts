import type { CommandResult } from '../../tools/run-command.ts';

/**
 * What a program printed, which is JSON and nothing else.
 *
 * @throws {Error} with all that was printed, where the program failed or printed anything else
 */
export function jsonOf({ ok, output }: CommandResult): unknown {
  try {
    if (ok) return JSON.parse(output) as unknown;
  } catch {
    // The output says more than the parser.
  }
  throw new Error(`Expected JSON from a program that ${ok ? 'ended well' : 'failed'}, and got:\n${output}`);
}
