import { createHash } from 'node:crypto';

/**
 * The file name of a chunk: a part of the SHA-256 of its contents, so that a chunk never changes.
 * While a bundle is replaced, the old one finds its own chunks and the new one too.
 */
export function chunkName(code: string): string {
  return `${createHash('sha256').update(code).digest('hex').slice(0, 20)}.mjs`;
}

/** Whether a file name is that of a chunk. What has another name was made by someone else. */
export function isChunkName(name: string): boolean {
  return /^[0-9a-f]{20}\.mjs$/.test(name);
}
