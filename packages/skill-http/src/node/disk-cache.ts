import { lstat, mkdir, readdir, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import type { HttpSkillCache } from '../http/http-cache.ts';
import { isMissing, readRegularFile } from './read-regular-file.ts';
import { writeWhole } from './write-whole.ts';

/** Options of {@link diskCache}. */
export interface DiskCacheOptions {
  /** The folder, created if missing, for this user only. Not one that is searched for skills. */
  readonly directory: string;
  /** Bytes to keep; what was used longest ago goes first. @default 268_435_456 (256 MiB) */
  readonly maxBytes?: number | undefined;
}

const knownOptions: OptionRules<DiskCacheOptions> = {
  directory: 'string',
  maxBytes: 'number',
};
const defaultMaxBytes = 256 * 1024 * 1024;
/** Share of `maxBytes` that is written between two sweeps. */
const sweepShare = 8;

/**
 * Returns a cache in a folder, so that a process that starts without a network has what an earlier
 * one read. Files are written beside their place and then moved into it, so that a process that
 * dies leaves nothing half written. The provider hashes what it reads before each use; a changed
 * file counts as missing.
 *
 * Several processes may share a folder. Several tenants may not: give each its own.
 *
 * @throws {SkillError} `invalid-options`
 * @example
 * ```ts
 * import { httpSkillProvider } from '@repertoire/skill-http';
 * import { diskCache } from '@repertoire/skill-http/node';
 *
 * export const provider = httpSkillProvider({ url: 'https://skills.acme.example', cache: diskCache({ directory: '/var/cache/my-agent/skills' }) });
 * ```
 */
export function diskCache(options: DiskCacheOptions): HttpSkillCache {
  assertKnownOptions('diskCache', options, knownOptions);
  const { directory, maxBytes } = options;
  if (directory === '') throw new SkillError('invalid-options', 'Option "directory" of diskCache is "". Give the folder to keep files in.');
  const most = numberOption('maxBytes', maxBytes, { of: 'diskCache', fallback: defaultMaxBytes, least: 1 });
  let written = most;

  return {
    async get(key) {
      const file = fileOf(directory, key);
      const bytes = await readRegularFile(file);
      if (bytes === null) return null;
      const now = new Date();
      // The sweep removes files by this time. In a read-only folder, this fails and nothing is
      // swept.
      await utimes(file, now, now).catch(() => {});
      return bytes;
    },

    async set(key, bytes) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeWhole(fileOf(directory, key), bytes);
      written += bytes.length;
      if (written < most / sweepShare) return;
      written = 0;
      await sweep(directory, most);
    },
  };
}

function fileOf(directory: string, key: string): string {
  if (!/^[a-z0-9-]{1,100}$/.test(key)) throw new SkillError('invalid-options', `[skill-http] ${JSON.stringify(key)} is no key of a cache.`);
  return path.join(directory, key);
}

/** Removes what was used longest ago, and leftovers of processes that died. */
async function sweep(directory: string, maxBytes: number): Promise<void> {
  const files: { file: string; size: number; usedAt: number }[] = [];
  for (const name of await readdir(directory)) {
    // Other files in the folder belong to somebody else.
    if (!/^(?:blob|answer)-[a-z0-9]{64}(?:\.[0-9a-f-]{36}\.tmp)?$/.test(name)) continue;
    const file = path.join(directory, name);
    try {
      const { size, mtimeMs } = await lstat(file);
      files.push({ file, size, usedAt: mtimeMs });
    } catch (error) {
      // Another process has removed it.
      if (!isMissing(error)) throw error;
    }
  }
  let total = files.reduce((sum, { size }) => sum + size, 0);
  for (const { file, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= maxBytes) break;
    await rm(file, { force: true });
    total -= size;
  }
}
