import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ParityLibrary } from '@repertoire/skills-testkit/internal';

/** Writes a library into a new folder, which is the caller's to remove. */
export async function writeLibrary({ files }: ParityLibrary): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parity-')));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, 'skills', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return folder;
}
