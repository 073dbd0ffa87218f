import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own for a test, gone after it. */
export interface TemporaryFolder {
  /** Its real path. */
  readonly path: string;
  /** Writes files by their paths inside it, folders above them included. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  remove(inner: string): Promise<void>;
  /** Paths of all files, sorted. */
  list(inner?: string): Promise<string[]>;
  /** Absolute path of what lies inside it. */
  at(...inner: string[]): string;
}

export async function temporaryFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TemporaryFolder> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'repertoire-cli-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const at = (...inner: string[]): string => path.join(folder, ...inner);
  const temporary: TemporaryFolder = {
    path: folder,
    at,
    async write(more) {
      for (const [inner, content] of Object.entries(more)) {
        await mkdir(path.dirname(at(inner)), { recursive: true });
        await writeFile(at(inner), content);
      }
    },
    remove: (inner) => rm(at(inner), { recursive: true, force: true }),
    async list(inner = '.') {
      const entries = await readdir(at(inner), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(at(inner), path.join(entry.parentPath, entry.name)))
        .sort();
    },
  };
  await temporary.write(files);
  return temporary;
}

/** A valid `SKILL.md`. */
export function skillMd(name: string, fields = '', body = `Instructions of ${name}.`): string {
  return `---\nname: ${name}\ndescription: What ${name} does. Use it in tests.\n${fields === '' ? '' : `${fields}\n`}---\n\n${body}\n`;
}
