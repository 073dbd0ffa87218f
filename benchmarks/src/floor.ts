import { open } from 'node:fs/promises';
import path from 'node:path';
import fastGlob from 'fast-glob';

/**
 * The least that finding skills can cost: find the same files with the same glob, open each, read its first 4 KiB, close it, as many at a time as
 * the provider. Nothing is looked at.
 *
 * @returns how many files there are
 */
export async function floor(folder: string, concurrency: number, depth: number): Promise<number> {
  const files = await fastGlob('**/SKILL.md', {
    cwd: folder,
    caseSensitiveMatch: false,
    deep: depth + 1,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**'],
    concurrency,
  });
  let next = 0;
  const runner = async (): Promise<void> => {
    const buffer = Buffer.allocUnsafeSlow(4_096);
    while (next < files.length) {
      const file = files[next] as string;
      next += 1;
      const handle = await open(path.join(folder, file));
      await handle.read(buffer, 0, buffer.length, 0);
      await handle.close();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runner));
  return files.length;
}
