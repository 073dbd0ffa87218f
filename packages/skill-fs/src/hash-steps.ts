import { disk, type DiskSteps } from './disk-steps.ts';
import type { Hashing } from './load-hashing.ts';

const partBytes = 262_144;

/** The bytes that a file of `size` is read into part by part, where only its digest is wanted. */
export function partBuffer(size: number): Uint8Array {
  return new Uint8Array(Math.min(size, partBytes));
}

/**
 * Hashes an opened file in parts, so that a large file blocks nobody.
 *
 * @param into the buffer, for the whole file or for one part at a time
 * @returns SHA-256 in lower-case hex and the bytes read, fewer than `size` if the file shrank
 */
export function* hashSteps(
  { hash, createHash }: Hashing,
  descriptor: number,
  size: number,
  into: Uint8Array,
): DiskSteps<{ readonly digest: string; readonly length: number }> {
  const parts = size > partBytes ? createHash('sha256') : null;
  let length = 0;
  while (length < size) {
    const at = into.length < size ? 0 : length;
    const part = into.subarray(at, Math.min(at + partBytes, into.length));
    const read = yield* disk.readPart(descriptor, part, length);
    if (read === 0) break;
    parts?.update(part.subarray(0, read));
    length += read;
  }
  // Of a small file in one call: a hash object costs several times what hashing it does.
  return { digest: parts === null ? hash('sha256', into.subarray(0, length), 'hex') : parts.digest('hex'), length };
}
