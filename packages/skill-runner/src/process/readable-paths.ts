import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

const programFolders = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'libexec', 'share'];

/**
 * Programs, libraries and time zones. Of `/usr` only the folders of an installation: images of
 * containers often have an application with its secrets in `/usr/src/app` or `/usr/local/app`. Not
 * the whole `/etc`, no home, no `/run`: even with a read-only bind, a script could connect to a
 * socket.
 */
export const systemPaths: readonly string[] = [
  ...programFolders.map((folder) => `/usr/${folder}`),
  '/usr/include',
  ...programFolders.map((folder) => `/usr/local/${folder}`),
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/etc/localtime',
];

/** Folders that an interpreter reads, beside its `bin`. */
const beside = ['lib', 'lib64', 'libexec', 'share', 'pyvenv.cfg'];

/**
 * What must be readable for a program outside of the system's folders: the program, and if it lies
 * in the `bin` of an installation, the libraries of that. An installation has a folder of the
 * program's name and version in its `lib`, such as `lib/python3.13`, or npm in the `lib` of
 * Node.js; without one, the folder above `bin` is a project, in which a program happens to lie. A
 * folder that is or contains the user's home is never opened.
 */
export async function readablePathsOf(program: string): Promise<readonly string[]> {
  if (systemPaths.some((system) => program.startsWith(`${system}/`))) return [];
  const folder = path.dirname(program);
  const prefix = path.dirname(folder);
  if (path.basename(folder) !== 'bin' || `${homedir()}/`.startsWith(`${prefix}/`)) return [program];
  // `python3.13` and `python3` are found in lib/python3.13.
  const [name = ''] = path.basename(program).split(/\d/, 1);
  const isInstallation =
    name === 'node' ? existsSync(path.join(prefix, 'lib/node_modules/npm')) : name !== '' && (await hasLibraryOf(name, prefix));
  return isInstallation ? [program, ...beside.map((entry) => path.join(prefix, entry))] : [program];
}

async function hasLibraryOf(name: string, prefix: string): Promise<boolean> {
  const libraries = await Promise.all(
    ['lib', 'lib64'].map((library) => readdir(path.join(prefix, library), { withFileTypes: true }).catch(() => [])),
  );
  return libraries
    .flat()
    .some((entry) => entry.isDirectory() && entry.name.startsWith(name) && /^[\d.]*$/.test(entry.name.slice(name.length)));
}
