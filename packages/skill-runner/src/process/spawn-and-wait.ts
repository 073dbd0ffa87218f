import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { RunOwner } from './working-copy.ts';

/** Options of {@link spawnAndWait}. */
export interface SpawnOptions {
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly owner?: RunOwner | null | undefined;
  /** Opens descriptor 3 for writing, as in runs. @default false */
  readonly startPipe?: boolean | undefined;
}

/**
 * Runs a small program without input and output. `code` is `null` if it could not be started or did
 * not end in time.
 */
export async function spawnAndWait(argv: readonly string[], options: SpawnOptions): Promise<{ readonly code: number | null }> {
  const [command = '', ...rest] = argv;
  const { promise, resolve } = Promise.withResolvers<{ readonly code: number | null }>();
  try {
    const child = spawn(command, rest, {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', ...options.env },
      stdio: options.startPipe === true ? ['ignore', 'ignore', 'ignore', 'pipe'] : 'ignore',
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
      ...options.owner,
    });
    (child.stdio[3] as Readable | null | undefined)?.resume();
    child.once('error', () => resolve({ code: null }));
    child.once('exit', (code) => resolve({ code }));
  } catch {
    resolve({ code: null });
  }
  return await promise;
}
