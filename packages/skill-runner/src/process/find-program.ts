import { access, constants, realpath } from 'node:fs/promises';
import path from 'node:path';

const systemFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/**
 * Where programs of this name are: in the system's folders first, then in the host's `PATH`. Relative folders of it are left out. Links are not
 * resolved, since some programs look at the name that they are called by.
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

/** The real path of an executable file; `null` where there is none. */
export async function realProgram(file: string): Promise<string | null> {
  try {
    await access(file, constants.X_OK);
    return await realpath(file);
  } catch {
    return null;
  }
}
