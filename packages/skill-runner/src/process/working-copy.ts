import { chmod, chown, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copyNamePrefix } from './remove-copy.ts';
import type { RunOwner } from './run-user.ts';

/** The folders of one run. A confined run gets a copy of them on a file system of its own. */
export interface WorkingCopy {
  /** The parent of the other folders. It belongs to the host. */
  readonly base: string;
  readonly skill: string;
  /** A temporary folder for runs that have no `/tmp` of their own. */
  readonly temporary: string;
  /** Folder for building a root file system. */
  readonly root: string;
}

/** Writes files to new folders that only their owner can access. */
export async function makeWorkingCopy(
  files: ReadonlyMap<string, Uint8Array>,
  parent: string,
  owner: RunOwner | null,
): Promise<WorkingCopy> {
  const base = await realpath(await mkdtemp(path.join(parent, await copyNamePrefix())));
  const [skill, temporary, shared, root] = ['skill', 'tmp', 'shm', 'root'].map((name) => path.join(base, name)) as [
    string,
    string,
    string,
    string,
  ];
  try {
    // The user of the run has to come through, and must not be able to put a link into its place.
    if (owner !== null) await chmod(base, 0o711);
    const made = new Set<string>();
    const folder = async (absolute: string): Promise<void> => {
      if (absolute === base || made.has(absolute)) return;
      await folder(path.dirname(absolute));
      await mkdir(absolute, { mode: 0o700 });
      made.add(absolute);
    };
    for (const absolute of [skill, temporary, shared, root]) await folder(absolute);
    for (const name of files.keys()) await folder(path.dirname(path.join(skill, name)));
    const writing = await Promise.allSettled(
      Array.from(files, async ([name, bytes]) => {
        const file = path.join(skill, name);
        // `wx` fails if two paths are the same file on this file system.
        await writeFile(file, bytes, { flag: 'wx', mode: isExecutable(bytes) ? 0o700 : 0o600 });
        if (owner !== null) await chown(file, owner.uid, owner.gid);
      }),
    );
    const failed = writing.find((each) => each.status === 'rejected');
    if (failed !== undefined) throw new Error('A file could not be written.', { cause: failed.reason });
    if (owner !== null) for (const absolute of made) await chown(absolute, owner.uid, owner.gid);
    return { base, skill, temporary, root };
  } catch (error) {
    await removeUntouched(base);
    throw error;
  }
}

/** Removes a copy that no script could change. */
export async function removeUntouched(base: string): Promise<void> {
  await rm(base, { recursive: true, force: true });
}

function isExecutable(bytes: Uint8Array): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21;
}
