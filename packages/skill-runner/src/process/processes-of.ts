import { readdir, readFile } from 'node:fs/promises';

/** Processes of a user that have not ended. Linux only. */
export async function processesOf(uid: number): Promise<readonly number[]> {
  return processesWhere(async (pid) => {
    const lines = (await readFile(`/proc/${pid}/status`, 'latin1')).split('\n');
    const wordsOf = (name: string): readonly string[] => lines.find((line) => line.startsWith(name))?.split('\t') ?? [];
    // A process that has ended and that nobody waited for (Z) does nothing any more.
    return !/^[ZX]/.test(wordsOf('State:')[1] ?? '') && wordsOf('Uid:').includes(String(uid));
  });
}

/** Processes other than this one for which a question is answered with yes. Linux only. */
export async function processesWhere(isWanted: (pid: number) => Promise<boolean>): Promise<readonly number[]> {
  const entries = await readdir('/proc').catch(() => []);
  const found: number[] = [];
  for (const entry of entries) {
    const pid = Number(entry);
    if (Number.isInteger(pid) && pid !== process.pid && (await isWanted(pid).catch(() => false))) found.push(pid);
  }
  return found;
}
