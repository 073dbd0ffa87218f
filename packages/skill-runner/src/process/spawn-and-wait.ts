import { spawn } from 'node:child_process';
import type { RunOwner } from './run-user.ts';

export interface SpawnOptions {
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly owner?: RunOwner | null | undefined;
}

/** Runs a small program. `code` is `null` if it could not start or did not end in time. */
export async function spawnAndWait(argv: readonly string[], options: SpawnOptions): Promise<{ readonly code: number | null }> {
  const [command = '', ...rest] = argv;
  const { promise, resolve } = Promise.withResolvers<{ readonly code: number | null }>();
  try {
    const child = spawn(command, rest, {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', ...options.env },
      stdio: 'ignore',
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
      ...(options.owner && { uid: options.owner.uid, gid: options.owner.gid }),
    });
    child.once('error', () => resolve({ code: null }));
    child.once('exit', (code) => resolve({ code }));
  } catch {
    resolve({ code: null });
  }
  return await promise;
}
