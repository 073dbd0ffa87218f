import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RunOwner } from './run-user.ts';

/** Runs a small program. Returns `null` if it could not start or did not end in time. */
export async function spawnAndWait(argv: readonly string[], owner: RunOwner | null, timeoutMs: number): Promise<number | null> {
  const [command = '', ...rest] = argv;
  try {
    const child = spawn(command, rest, {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: 'ignore',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...(owner && { uid: owner.uid, gid: owner.gid }),
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  } catch {
    return null;
  }
}
