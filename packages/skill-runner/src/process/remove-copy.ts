import { lstat, readdir, readlink, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { endProcessesOf } from './end-leftovers.ts';
import { isRunUser, lockUser, type RunOwner } from './run-user.ts';
import { spawnAndWait } from './spawn-and-wait.ts';

const timeoutMs = 60_000;
/** A copy of a host that cannot be seen from here is left for so long. */
const strangeAfterMs = 86_400_000;

/**
 * Removes the folders of a run, after its processes ended. Their content is removed as the user of
 * the run, so whatever a script left, nothing is removed that it could not have removed. Folders
 * may be closed, or nested deeper than the maximum path length: `rm` can remove what Node.js
 * cannot.
 *
 * @throws what `rmdir` says if something is left
 */
export async function removeCopy(base: string, owner: RunOwner | null): Promise<void> {
  const folders = (await readdir(base)).map((name) => path.join(base, name));
  const asOwner = (...argv: readonly string[]) => spawnAndWait(argv, owner, timeoutMs);
  if (folders.length > 0) {
    // It cannot remove the folders themselves, because their parent is the host's.
    await asOwner('/bin/rm', '-rf', '--', ...folders);
    const left = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
    if (owner === null ? (await readdir(base)).length > 0 : left.flat().length > 0) {
      await asOwner('/bin/chmod', '-R', 'u+rwX', '--', ...folders);
      await asOwner('/bin/rm', '-rf', '--', ...folders);
    }
    for (const name of await readdir(base)) await rmdir(path.join(base, name));
  }
  await rmdir(base);
}

/** Names of copies begin with their host: its process namespace and number. */
export async function copyNamePrefix(): Promise<string> {
  return `skill-run-${await processNamespace()}-${process.pid}-`;
}

/**
 * Removes copies of killed hosts; those of other containers, which are not visible, after a day.
 */
export async function removeAbandoned(parent: string): Promise<void> {
  const namespace = await processNamespace();
  const own = process.getuid?.();
  for (const name of await readdir(parent).catch(() => [])) {
    const [, madeIn, pid] = /^skill-run-(\d+)-(\d+)-[A-Za-z0-9]{6}$/.exec(name) ?? [];
    if (madeIn === undefined || pid === undefined) continue;
    const base = path.join(parent, name);
    const state = await lstat(base).catch(() => null);
    if (state === null || !state.isDirectory() || state.uid !== own) continue;
    const isDead = madeIn === namespace && !isRunning(Number(pid));
    if (!isDead && Date.now() - state.mtimeMs < strangeAfterMs) continue;
    // What cannot be removed now is tried again by the next host.
    await removeOf(base).catch(() => {});
  }
}

/** Removes a copy as its user, whose processes may have survived the host. */
async function removeOf(base: string): Promise<void> {
  const uid = (await lstat(path.join(base, 'skill')).catch(() => null))?.uid;
  if (uid === undefined || !isRunUser(uid)) return removeCopy(base, null);
  const release = await lockUser(uid);
  if (release === null) return;
  try {
    const owner = { uid, gid: uid };
    if ((await endProcessesOf(owner)).ended) await removeCopy(base, owner);
  } finally {
    release();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user must not be signalled, and is there.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

async function processNamespace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '');
  return /\d+/.exec(link)?.[0] ?? '0';
}
