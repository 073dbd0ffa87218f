import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sha256Hex, skillDigestFromFileDigests } from '@repertoire/skills-core/provider';
import type { DiskPace } from '../disk-pace.ts';
import type { FileSystemSettings } from '../file-system-skill-provider-options.ts';
import { listResources } from '../list-resources.ts';

/** The content of a folder now, from every byte. `null` without a `SKILL.md`. */
export async function contentOfFolder(
  folder: string,
  settings: FileSystemSettings,
  pace: DiskPace,
  signal: AbortSignal,
): Promise<string | null> {
  const main = await readFile(path.join(folder, 'SKILL.md')).catch(() => null);
  if (main === null) return null;
  const { entries } = await listResources(folder, settings, pace, null, signal);
  const digests: [string, string][] = [['SKILL.md', await sha256Hex(main)]];
  for (const { path: inner } of entries) {
    signal.throwIfAborted();
    digests.push([inner, await sha256Hex(await readFile(path.join(folder, ...inner.split('/'))))]);
  }
  return await skillDigestFromFileDigests(Object.fromEntries(digests));
}
