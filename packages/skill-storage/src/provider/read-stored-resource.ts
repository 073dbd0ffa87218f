import { SkillError } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import type { StoredResource } from '../form/skill-document.ts';
import type { StorageSettings } from './storage-skill-provider-options.ts';

/**
 * Reads a file or its first bytes. The digest of a whole file is verified. Of a partial read, only
 * the published size is checked.
 *
 * @throws {SkillError} `limit-exceeded`, `digest-mismatch`, `source-unavailable`
 */
export async function readStoredResource(
  { store, label, limits }: StorageSettings,
  skill: string,
  { path, size, digest }: Pick<StoredResource, 'path' | 'size' | 'digest'>,
  maxBytes: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const details = { skill, path, source: label };
  if (maxBytes === undefined && size > limits.resourceBytes) {
    throw new SkillError(
      'limit-exceeded',
      `${path} of skill ${JSON.stringify(skill)} has ${size} bytes, more than limits.resourceBytes (${limits.resourceBytes}). Read a part of it, or raise the limit.`,
      details,
    );
  }
  const wanted = Math.min(maxBytes ?? size, size);
  // Stores have no range of zero bytes.
  if (wanted === 0) return new Uint8Array();
  const key = store.keys.file(digest);
  const object = await store.get(key, { maxBytes: wanted, signal });
  if (object === null) {
    throw new SkillError(
      'source-unavailable',
      `${path} of skill ${JSON.stringify(skill)} is not in the store, or not visible here yet. Where it was published a moment ago, try again in a minute; else publish again.`,
      details,
    );
  }
  const isRight = object.size === size && object.bytes.length === wanted && (wanted < size || (await sha256Hex(object.bytes)) === digest);
  if (!isRight) {
    throw new SkillError(
      'digest-mismatch',
      `${path} of skill ${JSON.stringify(skill)} is not the file that was published: ${key} is damaged or was changed. Publish the skills again, with verification.`,
      details,
    );
  }
  return object.bytes;
}
