import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { RunOwner } from './run-user.ts';

export interface SpawnOptions {
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly owner?: RunOwner | null | undefined;
  /** As in runs: opens descriptor 3 for writing, and gives these bytes at descriptor 4. */
  readonly asRun?: { readonly starter: Uint8Array | null } | undefined;
}

/** Runs a small program. `code` is `null` if it could not start or did not end in time. */
export async function spawnAndWait(argv: readonly string[], options: SpawnOptions): Promise<{ readonly code: number | null }> {
  const [command = '', ...rest] = argv;
  const { promise, resolve } = Promise.withResolvers<{ readonly code: number | null }>();
  try {
    const child = spawn(command, rest, {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', ...options.env },
      stdio:
        options.asRun === undefined ? 'ignore' : ['ignore', 'ignore', 'ignore', 'pipe', options.asRun.starter === null ? 'ignore' : 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
      ...(options.owner && { uid: options.owner.uid, gid: options.owner.gid }),
    });
    if (options.asRun !== undefined) {
      (child.stdio[3] as Readable).resume();
      giveStarter(child.stdio[4] as Writable | null, options.asRun.starter);
    }
    child.once('error', () => resolve({ code: null }));
    child.once('exit', (code) => resolve({ code }));
  } catch {
    resolve({ code: null });
  }
  return await promise;
}

/** Writes the starter to its descriptor. A failing confinement closes the pipe. */
export function giveStarter(pipe: Writable | null, starter: Uint8Array | null): void {
  pipe?.on('error', () => {});
  pipe?.end(starter);
}
