import { readdir, readFile } from 'node:fs/promises';

/** Name of the environment variable that marks the processes of a run. */
export const markVariable = 'REPERTOIRE_RUN';

const rounds = 5;

/**
 * Kills processes that left the process group of their run. They are found by the mark in their
 * environment. It works on Linux only, and only for processes that kept the mark: a best-effort
 * measure for runs without confinement.
 *
 * @returns how many were found
 */
export async function endLeftovers(mark: string): Promise<number> {
  let found = 0;
  // One of them may have started another one while the list was read.
  for (let round = 0; round < rounds; round += 1) {
    const marked = await markedProcesses(mark);
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
  return found;
}

async function markedProcesses(mark: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => []);
  const wanted = `${markVariable}=${mark}`;
  const found: number[] = [];
  for (const entry of entries) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const environment = await readFile(`/proc/${entry}/environ`, 'latin1').catch(() => '');
    if (environment.split('\0').includes(wanted)) found.push(pid);
  }
  return found;
}
