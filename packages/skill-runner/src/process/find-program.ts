import { access, constants, realpath } from 'node:fs/promises';
import path from 'node:path';

const systemFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/**
 * Finds programs with this name: first in the system's folders, then in the host's `PATH`. Its
 * relative folders are ignored. Links are not resolved, because some programs depend on the name by
 * which they are called.
 */
export async function findPrograms(name: string, hostPath: string | undefined): Promise<readonly string[]> {
  const folders = [...systemFolders, ...(hostPath ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))];
  const found = new Map<string, string>();
  for (const folder of folders) {
    const file = path.join(folder, name);
    const real = await realProgram(file);
    if (real !== null && !found.has(real)) found.set(real, file);
  }
  return [...found.values()];
}

/** Returns the real path of an executable file; `null` if there is none. */
export async function realProgram(file: string): Promise<string | null> {
  try {
    await access(file, constants.X_OK);
    return await realpath(file);
  } catch {
    return null;
  }
}
