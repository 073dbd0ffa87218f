import { isJsonObject, type JsonObject } from '@repertoire/skills-core/internal';
import { show } from '../problem/refusal.ts';

/** The value, if it is an object with no other fields: an ignored field could contain anything. */
export function objectWith(value: unknown, keys: readonly string[], what: string, refuseFor: (reason: string) => never): JsonObject {
  if (!isJsonObject(value)) return refuseFor(`${what} is not a JSON object`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  return unknown === undefined ? value : refuseFor(`${what} has the unknown field ${show(unknown)}`);
}
