import type { JsonObject } from '@repertoire/skills-core/internal';

/** The first unknown key. An ignored field could contain anything. */
export function unknownKey(value: JsonObject, known: readonly string[]): string | undefined {
  return Object.keys(value).find((key) => !known.includes(key));
}
