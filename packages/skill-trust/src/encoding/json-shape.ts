import type { JsonObject } from '@repertoire/skills-core/internal';

/**
 * The first unknown key. A field that is ignored could contain anything, and a later reader might
 * believe it.
 */
export function unknownKey(value: JsonObject, known: readonly string[]): string | undefined {
  return Object.keys(value).find((key) => !known.includes(key));
}
