import { createHash } from 'node:crypto';

/** Named after the SHA-256 of its contents, so that a chunk never changes. */
export function chunkName(code: string): string {
  return `${createHash('sha256').update(code).digest('hex').slice(0, 20)}.mjs`;
}

/** Whether a file name is that of a chunk. What has another name was made by someone else. */
export function isChunkName(name: string): boolean {
  return /^[0-9a-f]{20}\.mjs$/.test(name);
}
