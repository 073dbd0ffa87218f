import { SkillError } from '@repertoire/skills-core';
import { FormError } from '../form/json-document.ts';
import { maxPointerBytes, parsePointer, pointerBytes, type Pointer } from '../form/pointer.ts';
import type { OpenStore } from '../store/open-store.ts';

/** What is stored at the key of the pointer. */
export interface FoundPointer {
  /** `null` if there is none, or a damaged one. */
  readonly pointer: Pointer | null;
  /** `null` if there is no object. */
  readonly etag: string | null | undefined;
}

const maxTries = 10;

/**
 * Reads the pointer.
 *
 * @throws {SkillError} `source-unavailable`, also for a pointer of another format version, which an
 *   older library must not overwrite
 */
export async function readPointer(store: OpenStore, signal: AbortSignal | undefined): Promise<FoundPointer> {
  const key = store.keys.current;
  const object = await store.get(key, { maxBytes: maxPointerBytes, signal });
  if (object === null) return { pointer: null, etag: null };
  try {
    return { pointer: parsePointer(object.bytes), etag: object.etag };
  } catch (cause) {
    if (!(cause instanceof FormError)) throw cause;
    if (!cause.isOtherForm) return { pointer: null, etag: object.etag };
    throw new SkillError(
      'source-unavailable',
      `${key} of the store ${store.label} ${cause.message}. Update the library, or take another prefix.`,
      { path: key, cause },
    );
  }
}

/**
 * Writes the result of `next` to the pointer. If the store is conditional and another publisher was
 * faster, it tries again based on what that one wrote, so that its release stays available for
 * rollback.
 *
 * @returns the id of the release that was current before
 */
export async function swapPointer(
  store: OpenStore,
  found: FoundPointer,
  signal: AbortSignal | undefined,
  next: (pointer: Pointer | null) => Pointer | Promise<Pointer>,
): Promise<string | null> {
  const key = store.keys.current;
  let base = found;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const ifMatch = store.conditional ? { ifMatch: base.etag } : {};
    const wanted = await next(base.pointer);
    const isTaken = await store.put(key, pointerBytes(wanted), { ...ifMatch, signal });
    const replaced = base.pointer?.release ?? null;
    if (isTaken) return replaced;
    base = await readPointer(store, signal);
    // A client that lost the response retries and finds its own write.
    if (base.pointer !== null && isSame(base.pointer, wanted)) return replaced;
  }
  throw new SkillError(
    'source-unavailable',
    `${key} of the store ${store.label} was changed ${maxTries} times while it was to be written. See who else publishes there, and try again.`,
    { path: key },
  );
}

function isSame(a: Pointer, b: Pointer): boolean {
  return [a.release, ...a.previous].join() === [b.release, ...b.previous].join();
}
