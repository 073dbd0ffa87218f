import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own for a test, gone after it. */
export interface TemporaryFolder {
  /** Its real path. */
  readonly path: string;
  /** Writes files by their paths inside it, folders above them included. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  /** Makes a link at a path inside it; the target is taken as written. */
  link(target: string, at: string): Promise<void>;
  remove(inner: string): Promise<void>;
  /** Absolute path of what lies inside it. */
  at(...inner: string[]): string;
}

export async function temporaryFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TemporaryFolder> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'skill-fs-')));
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
    async link(target, inner) {
      await mkdir(path.dirname(at(inner)), { recursive: true });
      await symlink(target, at(inner));
    },
    remove: (inner) => rm(at(inner), { recursive: true, force: true }),
  };
  await temporary.write(files);
  return temporary;
}

/** A valid `SKILL.md`. */
export function skillMd(name: string, fields = '', body = `Instructions of ${name}.`): string {
  return `---\nname: ${name}\ndescription: What ${name} does. Use it in tests.\n${fields === '' ? '' : `${fields}\n`}---\n\n${body}\n`;
}
