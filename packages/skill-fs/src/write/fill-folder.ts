import { mkdir, open, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { DiskPace } from '../disk-pace.ts';
import type { FileSystemSettings } from '../file-system-skill-provider-options.ts';
import { listResources } from '../list-resources.ts';

/** Makes a folder hold exactly these files, and flushes them to the disk. */
export async function fillFolder(
  folder: string,
  files: Readonly<Record<string, Uint8Array>>,
  settings: FileSystemSettings,
  pace: DiskPace,
  signal: AbortSignal,
): Promise<void> {
  const { entries } = await listResources(folder, settings, pace, null, signal);
  for (const { path: inner } of entries) {
    if (Object.hasOwn(files, inner)) continue;
    const full = path.join(folder, ...inner.split('/'));
    await rm(full);
    await rmdir(path.dirname(full)).catch(() => undefined);
  }
  for (const [inner, bytes] of Object.entries(files)) {
    signal.throwIfAborted();
    const full = path.join(folder, ...inner.split('/'));
    await mkdir(path.dirname(full), { recursive: true });
    const handle = await open(full, 'w');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  await syncFolder(folder);
}

/** Some systems cannot sync a folder; then the names are as durable as the system makes them. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
