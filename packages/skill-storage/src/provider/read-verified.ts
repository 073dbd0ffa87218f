import { SkillError } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import type { SkillStore } from '../store/skill-store.ts';

/** What to read from a store. */
export interface VerifiedRead {
  readonly key: string;
  readonly digest: string;
  /** Maximum size, and the option that sets it. @default no limit */
  readonly limit?: { readonly option: string; readonly bytes: number } | undefined;
}

/**
 * Reads an object that is named by its digest, up to the limit. Its content is used only after the
 * digest matches.
 *
 * @returns `null` if it does not exist, or is not visible yet
 * @throws {SkillError} `limit-exceeded`, `digest-mismatch`, `source-unavailable`
 */
export async function readVerified(
  store: SkillStore,
  { key, digest, limit }: VerifiedRead,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | null> {
  const object = await store.get(key, { maxBytes: limit?.bytes, signal });
  if (object === null) return null;
  if (limit !== undefined && object.size > limit.bytes) {
    throw new SkillError(
      'limit-exceeded',
      `${key} has ${object.size} bytes, more than ${limit.option} (${limit.bytes}). Raise it where that is right.`,
      { path: key },
    );
  }
  if ((await sha256Hex(object.bytes)) !== digest) {
    throw new SkillError(
      'digest-mismatch',
      `${key} has other bytes than were published: it is damaged or was changed. Publish the skills again, with verification.`,
      { path: key },
    );
  }
  return object.bytes;
}
