import { SkillError } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import type { SkillListing, SkillOrigin } from '@repertoire/skills-core/provider';
import { FormError } from '../form/json-document.ts';
import { maxPointerBytes, parsePointer, type Pointer } from '../form/pointer.ts';
import { parseRelease, type DocumentReference, type ReleasedSkill } from '../form/release.ts';
import { readVerified } from './read-verified.ts';
import type { StorageSettings } from './storage-skill-provider-options.ts';

/** A cached release. Deep-frozen. */
export interface ReadRelease {
  /** With the origin from the host's options. */
  readonly skills: readonly ReleasedSkill[];
  readonly listing: SkillListing;
  /** When its signature expires, in milliseconds since 1970; `Infinity` without one. */
  readonly validUntil: number;
  readonly searchIndex?: DocumentReference | undefined;
}

const maxSignatureBytes = 1_048_576;

/** Reads a release of a store by its id; `null` if it does not exist. */
export async function readRelease(settings: StorageSettings, id: string, signal: AbortSignal | undefined): Promise<ReadRelease | null> {
  const { store, label, trusted, limits } = settings;
  const origin: SkillOrigin = { kind: 'storage', label, trusted };
  const key = store.keys.release(id);
  const limit = { option: 'limits.releaseBytes', bytes: limits.releaseBytes };
  const bytes = await readVerified(store, { key, digest: id, limit }, signal);
  if (bytes === null) return null;
  const validUntil = await verified(settings, id, signal);
  const { diagnostics, complete, ...parsed } = await usable(key, () => parseRelease(bytes, key, limits.skills));
  const skills = parsed.skills.map(({ metadata, document, content }) => ({
    metadata: { ...metadata, origin },
    document,
    ...(content !== undefined && { content }),
  }));
  return deepFreeze({
    ...(parsed.searchIndex !== undefined && { searchIndex: parsed.searchIndex }),
    skills,
    listing: { skills: skills.map(({ metadata }) => metadata), diagnostics, complete },
    validUntil,
  });
}

/** @throws {SkillError} `source-unavailable`, also where nothing is published */
export async function readPointer({ store, label }: StorageSettings, signal: AbortSignal | undefined): Promise<Pointer> {
  const key = store.keys.current;
  const object = await store.get(key, { maxBytes: maxPointerBytes, signal });
  if (object === null) {
    throw new SkillError(
      'source-unavailable',
      `Nothing is published in the store ${store.label}: it has no ${key}. Publish skills there (publishSkillsToStorage, or "repertoire publish"), or check the prefix.`,
      { source: label },
    );
  }
  return await usable(key, () => parsePointer(object.bytes));
}

/** The signature of a release is stored by its id and may be renewed. */
async function verified({ store, label, verifyIndex }: StorageSettings, id: string, signal: AbortSignal | undefined): Promise<number> {
  if (verifyIndex === undefined) return Number.POSITIVE_INFINITY;
  const key = store.keys.signature(id);
  const object = await store.get(key, { maxBytes: maxSignatureBytes + 1, signal });
  if (object !== null && object.size > maxSignatureBytes)
    throw new SkillError('signature-refused', `${key} has ${object.size} bytes, too many for a signature.`, { path: key, source: label });
  return (await verifyIndex({ digest: id, signature: object?.bytes ?? null })).validUntil;
}

/** Rejected data makes the source unavailable. */
async function usable<Value>(key: string, parse: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await parse();
  } catch (cause) {
    if (!(cause instanceof FormError)) throw cause;
    throw new SkillError('source-unavailable', `${key} ${cause.message}. Publish the skills again.`, { path: key, cause });
  }
}
