import type { SkillMetadata } from '../contract/skill-provider.ts';
import { fieldOf, type JsonObject } from '../contract/json-object.ts';
import { metadataShapes } from '../contract/metadata-shapes.ts';

/**
 * Level 1 out of JSON that someone else wrote: an index, a row, a stored document. Fields of
 * another shape are left out as if they were not there, unknown ones too, and so is `origin`, which
 * is the host's to say.
 *
 * @param json what `JSON.stringify` makes of a {@link SkillMetadata}
 * @param onIgnored is told each field of level 1 that was there and had another shape
 * @returns a value that shares nothing with `json`; `null` where name or description is not a text,
 *   or blank
 */
export function skillMetadataFromJson(json: JsonObject, onIgnored: (field: string) => void = () => {}): SkillMetadata | null {
  const [name, description] = [fieldOf(json, 'name'), fieldOf(json, 'description')];
  if (typeof name !== 'string' || name.trim() === '' || typeof description !== 'string' || description.trim() === '') return null;
  const others: [field: string, value: unknown][] = [];
  for (const [field, fits] of Object.entries(metadataShapes)) {
    const value = fieldOf(json, field);
    if (value === undefined) continue;
    if (fits(value)) others.push([field, structuredClone(value)]);
    else onIgnored(field);
  }
  return { name, description, version: null, ...Object.fromEntries(others) };
}
