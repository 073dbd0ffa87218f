import { SkillError } from '@repertoire/skills-core';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { processesOf } from './processes-of.ts';

export interface RunOwner {
  readonly uid: number;
  readonly gid: number;
}

/** A user that no other run has. One that still has processes or files is not reused. */
export interface RunUser extends RunOwner {
  /**
   * Gives it to the next run of this host.
   *
   * @param rests whether it first has to have no process, not even one that ended: there may be
   *   many of these for a moment, and they count for the limit of processes
   */
  release(rests: boolean): void;
}

/**
 * Users for the runs of a host that is root. Systemd's list of users assigns these to nobody:
 * neither to services (`DynamicUser=`) nor to containers nor to people. They exist in containers
 * with a user namespace too, which have 65,536 users.
 */
const [firstUser, lastUser] = [60_706, 61_183];

const free: RunUser[] = [];
const resting: RunUser[] = [];

/** Whether a user is one of those that runs get. */
export function isRunUser(uid: number): boolean {
  return uid >= firstUser && uid <= lastUser;
}

/**
 * Takes a user that has no process. The lock is a socket without a file, which the kernel frees
 * when the host ends, however it ends.
 *
 * @throws {SkillError} `runner-failed` if all of them are taken
 */
export async function takeRunUser(): Promise<RunUser> {
  const again = free.pop() ?? (await rested());
  if (again !== undefined) return again;
  const count = lastUser - firstUser + 1;
  // Hosts that start at the same time begin at different places.
  const start = Math.floor(Math.random() * count);
  for (let step = 0; step < count; step += 1) {
    const uid = firstUser + ((start + step) % count);
    const unlock = await lockUser(uid);
    if (unlock === null) continue;
    if ((await processesOf(uid)).length === 0) {
      const user: RunUser = { uid, gid: uid, release: (rests) => void (rests ? resting : free).push(user) };
      return user;
    }
    unlock();
  }
  throw new SkillError('runner-failed', `All ${count} users for runs (${firstUser} to ${lastUser}) are taken. Run fewer scripts at once.`);
}

/** Returns the user that rests the longest, if nothing of it is left. */
async function rested(): Promise<RunUser | undefined> {
  const user = resting.shift();
  if (user === undefined || (await processesOf(user.uid, true)).length === 0) return user;
  resting.push(user);
  return undefined;
}

/** Locks a user; `null` if another host of this machine, or another run, has it. */
export async function lockUser(uid: number): Promise<(() => void) | null> {
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen({ path: `\0repertoire-run-user-${uid}` });
    await once(server, 'listening');
  } catch {
    return null;
  }
  server.unref();
  return () => server.close();
}
