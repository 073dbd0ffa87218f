import { chmod, chown, lstat, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { spawnAndWait } from './spawn-and-wait.ts';

/** The owner of the files of a run, if it is not the user of this process. */
export interface RunOwner {
  readonly uid: number;
  readonly gid: number;
}

/** The folders of one run. */
export interface WorkingCopy {
  /** The parent of the other folders. */
  readonly base: string;
  /** The skill's files. */
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

/** Writes files to a new folder that only their owner can access. */
export async function makeWorkingCopy(
  files: ReadonlyMap<string, Uint8Array>,
  parent: string,
  owner: RunOwner | null,
): Promise<WorkingCopy> {
  const base = await realpath(await mkdtemp(path.join(parent, 'skill-run-')));
  const [skill, temporary, root] = [path.join(base, 'skill'), path.join(base, 'tmp'), path.join(base, 'root')];
  const remove = (): Promise<void> => removeFolder(base);
  try {
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
    if (owner !== null) for (const absolute of [base, ...made]) await chown(absolute, owner.uid, owner.gid);
    return { base, skill, temporary, root, before, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The state of a file, to detect changes. */
export async function stateOf(file: string): Promise<FileState> {
  const { size, ctimeNs } = await lstat(file, { bigint: true });
  return { size: Number(size), changed: ctimeNs };
}

function isExecutable(bytes: Uint8Array): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21;
}

/**
 * Folders may be closed, or nested deeper than the maximum path length. `rm` can remove what
 * Node.js cannot.
 */
async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await chmod(folder, 0o700);
    await spawnAndWait(['/bin/chmod', '-R', 'u+rwX', folder], { timeoutMs: 60_000 });
    const { code } = await spawnAndWait(['/bin/rm', '-rf', folder], { timeoutMs: 60_000 });
    if (code !== 0) await rm(folder, { recursive: true, force: true });
  }
}
