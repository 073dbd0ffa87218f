import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

/** Processes between which others have their turn. */
const batch = 64;

/**
 * Processes of a user that have not ended. Linux only.
 *
 * @param withEnded also counts zombies, as the kernel does
 */
export async function processesOf(uid: number, withEnded: boolean = false): Promise<readonly number[]> {
  return processesWhere((pid) => {
    const lines = readFileSync(`/proc/${pid}/status`, 'latin1').split('\n');
    const wordsOf = (name: string): readonly string[] => lines.find((line) => line.startsWith(name))?.split('\t') ?? [];
    // Zombies (Z) do nothing any more.
    return (withEnded || !/^[ZX]/.test(wordsOf('State:')[1] ?? '')) && wordsOf('Uid:').includes(String(uid));
  });
}

/**
 * Processes other than this one for which a question is answered with yes. Linux only.
 *
 * @param isWanted reads synchronously: the kernel answers from memory, and a promise for each read
 *   would cost ten times as much
 */
export async function processesWhere(isWanted: (pid: number) => boolean): Promise<readonly number[]> {
  const entries = await readdir('/proc').catch(() => []);
  const found: number[] = [];
  for (const [index, entry] of entries.entries()) {
    if (index % batch === batch - 1) await setImmediate();
    const pid = Number(entry);
    if (Number.isInteger(pid) && pid !== process.pid && answerOf(isWanted, pid)) found.push(pid);
  }
  return found;
}

/** Returns `false` for a process that ended meanwhile, and for one that may not be read. */
function answerOf(isWanted: (pid: number) => boolean, pid: number): boolean {
  try {
    return isWanted(pid);
  } catch {
    return false;
  }
}
