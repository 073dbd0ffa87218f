import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { ResolvedSkillRoot } from '../skill-roots.ts';
import { writeFolder } from '../visible-names.ts';

/** Names below the folder of writes: new, taken away, and to be removed. */
export const stagedPrefix = 'new-';
const takenPrefix = 'old-';
const gonePrefix = 'gone-';

/**
 * Recovers after a crash: a skill that was taken away comes back, unless something replaced it.
 * `all` also undoes the work of a writer whose process number was reused; that writer notices.
 */
export async function recoverWrites(roots: readonly ResolvedSkillRoot[], which: 'all' | 'dead'): Promise<void> {
  for (const { path: root } of roots) {
    const folder = path.join(root, writeFolder);
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      const full = path.join(folder, name);
      const isDead = isOfDeadProcess(name);
      if (name.startsWith(takenPrefix) && (isDead || which === 'all')) await restoreTaken(root, full, name);
      else if (name.startsWith(gonePrefix) || (name.startsWith(stagedPrefix) && isDead)) await rm(full, { recursive: true, force: true });
    }
    await removeIfEmpty(folder);
  }
}

/** Removes a folder of writes that nobody needs any more. */
export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

/** Renames a folder before removing it: a half removed one must not come back. */
export async function removeTaken(full: string): Promise<void> {
  const gone = path.join(path.dirname(full), gonePrefix + path.basename(full));
  await rename(full, gone);
  await rm(gone, { recursive: true, force: true });
}

/** The name of a folder that was taken away: it tells where it belongs. */
export function takenName(id: string, relative: string): string {
  return `${takenPrefix}${process.pid}-${id}-${encodeURIComponent(relative)}`;
}

async function restoreTaken(root: string, full: string, name: string): Promise<void> {
  const relative = relativeOf(name);
  if (relative === null) return;
  try {
    // It never replaces a folder that has files.
    await rename(full, path.join(root, ...relative.split('/')));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(code)) await removeTaken(full).catch(() => undefined);
    // Somebody else was faster.
    else if (code !== 'ENOENT') throw error;
  }
}

function relativeOf(name: string): string | null {
  const encoded = /^old-\d{1,10}-[0-9a-f]{24}-(.+)$/.exec(name)?.[1];
  if (encoded === undefined) return null;
  try {
    const relative = decodeURIComponent(encoded);
    return relative.split('/').some((segment) => segment === '' || segment === '.' || segment === '..') || relative.includes('\\')
      ? null
      : relative;
  } catch {
    return null;
  }
}

function isOfDeadProcess(name: string): boolean {
  const id = /^(?:new|old)-(\d{1,10})-/.exec(name)?.[1];
  if (id === undefined) return false;
  try {
    process.kill(Number(id), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
