import { readFileSync } from 'node:fs';
import { processesOf, processesWhere } from './processes-of.ts';
import { isRunUser, type RunOwner } from './run-user.ts';
import { spawnAndWait } from './spawn-and-wait.ts';

/** Name of the environment variable that marks the processes of a run. */
export const markVariable = 'REPERTOIRE_RUN';

const markRounds = 5;
const userRounds = 200;
const timeoutMs = 10_000;

/** What was left of an unconfined run. */
export interface Leftovers {
  readonly found: number;
  readonly ended: boolean;
}

/**
 * Ends all processes of a user that only one run has. The kernel sends the signal to all of them at
 * once, so none can start another one meanwhile; further rounds wait for those that are just
 * ending.
 */
export async function endProcessesOf(owner: RunOwner): Promise<Leftovers> {
  // The signal goes to whatever the user may signal. For root, that is the machine.
  if (!isRunUser(owner.uid)) throw new Error(`${owner.uid} is no user of a run.`);
  const found = (await processesOf(owner.uid)).length;
  let left = found;
  for (let round = 0; left > 0 && round < userRounds; round += 1) {
    await spawnAndWait(['/bin/sh', '-c', 'kill -9 -1'], owner, timeoutMs);
    left = (await processesOf(owner.uid)).length;
  }
  return { found, ended: left === 0 };
}

/**
 * Removes what a plain run left in the folders that everybody may write to, and its segments of
 * shared memory: the user of the run is that of a later one. What it left elsewhere is not looked
 * for.
 */
export async function removeLeftFiles(owner: RunOwner): Promise<void> {
  const script = 'find /dev/shm /tmp /var/tmp -maxdepth 1 -user "$1" -exec rm -rf -- {} +; ipcrm --all';
  await spawnAndWait(['/bin/sh', '-c', script, 'sh', String(owner.uid)], owner, timeoutMs);
}

/**
 * Kills processes that left the process group of their run. They are found by the mark in their
 * environment. It works on Linux only, and only for processes that kept the mark: a best-effort
 * measure for unconfined runs of a host that is not root.
 */
export async function endMarked(mark: string): Promise<Leftovers> {
  const wanted = `${markVariable}=${mark}`;
  let found = 0;
  // One of them may have started another one while the list was read.
  for (let round = 0; round < markRounds; round += 1) {
    const marked = await processesWhere((pid) => readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(wanted));
    if (marked.length === 0) break;
    found += marked.length;
    for (const pid of marked) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
    }
  }
  return { found, ended: true };
}
