import { chmod, chown, lstat, mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copyNamePrefix, removeCopy } from './remove-copy.ts';
import type { RunOwner } from './run-user.ts';

/** The folders of one run. */
export interface WorkingCopy {
  /** The parent of the other folders. It belongs to the host. */
  readonly base: string;
  readonly skill: string;
  /** A temporary folder for runs that have no `/tmp` of their own. */
  readonly temporary: string;
  /** Folder for building a root file system. */
  readonly root: string;
  /** State of each file when the run started, by path. */
  readonly before: ReadonlyMap<string, FileState>;
  /** Removes everything. Rejects when something could not be removed. */
  remove(): Promise<void>;
}

/** Changes whenever a file is written. A script cannot set the change time. */
export interface FileState {
  readonly size: number;
  readonly changed: bigint;
}

/** Writes files to new folders that only their owner can access. */
export async function makeWorkingCopy(
  files: ReadonlyMap<string, Uint8Array>,
  parent: string,
  owner: RunOwner | null,
): Promise<WorkingCopy> {
  const base = await realpath(await mkdtemp(path.join(parent, await copyNamePrefix())));
  const [skill, temporary, root] = [path.join(base, 'skill'), path.join(base, 'tmp'), path.join(base, 'root')];
  const remove = (): Promise<void> => removeCopy(base, owner);
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
    const before = new Map<string, FileState>();
    for (const absolute of [skill, temporary, root]) await folder(absolute);
    for (const [name, bytes] of files) {
      const file = path.join(skill, name);
      await folder(path.dirname(file));
      // `wx` fails if two paths are the same file on this file system.
      await writeFile(file, bytes, { flag: 'wx', mode: isExecutable(bytes) ? 0o700 : 0o600 });
      if (owner !== null) await chown(file, owner.uid, owner.gid);
      before.set(name, await stateOf(file));
    }
    if (owner !== null) for (const absolute of made) await chown(absolute, owner.uid, owner.gid);
    return { base, skill, temporary, root, before, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The state of a file, to detect changes. */
export async function stateOf(file: string | Buffer): Promise<FileState> {
  const { size, ctimeNs } = await lstat(file, { bigint: true });
  return { size: Number(size), changed: ctimeNs };
}

function isExecutable(bytes: Uint8Array): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21;
}
