import { rename, writeFile } from 'node:fs/promises';

/** Writes a file whole or not at all: under another name first, so that nobody reads half of it. */
export async function replaceFile(full: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const temporary = `${full}.${process.pid}.tmp`;
  await writeFile(temporary, content, mode === undefined ? {} : { mode });
  await rename(temporary, full);
}
