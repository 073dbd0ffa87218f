import { fieldOf, isSha256Hex } from '@repertoire/skills-core/provider';
import { documentBytes, FormError, parseDocument } from './json-document.ts';

/** Says which release is current: the only thing in a store that changes. */
export interface Pointer {
  /** Id of the current release. */
  readonly release: string;
  /** Ids of those before it, last first. */
  readonly previous: readonly string[];
}

/** More than the pointer can have. */
export const maxPointerBytes = 65_536;

/** The most releases that a pointer names besides the current one. */
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
  // Without those before it, a pointer still does what it is for.
  return { release, previous: Array.isArray(previous) ? previous.filter(isId).slice(0, maxPrevious) : [] };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isSha256Hex(value);
}
