import { fieldOf, isSha256Hex } from '@repertoire/skills-core/internal';
import { documentBytes, FormError, parseDocument } from './json-document.ts';

/** Says which release is current. It is the only object in a store that changes. */
export interface Pointer {
  /** Id of the current release. */
  readonly release: string;
  /** Ids of the earlier releases, latest first. */
  readonly previous: readonly string[];
}

/** Larger than any valid pointer. */
export const maxPointerBytes = 65_536;

/** Maximum number of earlier releases in a pointer. */
const maxPrevious = 100;

export function pointerBytes({ release, previous }: Pointer): Uint8Array {
  return documentBytes({ release, previous });
}

/** @throws {FormError} */
export function parsePointer(bytes: Uint8Array): Pointer {
  const value = parseDocument(bytes);
  const release = fieldOf(value, 'release');
  if (!isId(release)) throw new FormError('names no release');
  const previous = fieldOf(value, 'previous');
  // If the earlier releases are invalid, the pointer is still usable.
  return { release, previous: Array.isArray(previous) ? previous.filter(isId).slice(0, maxPrevious) : [] };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isSha256Hex(value);
}
