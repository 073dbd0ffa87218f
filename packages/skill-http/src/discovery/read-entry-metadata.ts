import type { SkillMetadata } from '@repertoire/skills-core';
import { fieldOf, isJsonObject, skillMetadataFromJson, type JsonObject } from '@repertoire/skills-core/internal';
import { checkSkillName } from '@repertoire/skills-core/provider';
import { extensionField, isDiscoveryName, maxIndexDescription } from './discovery-format.ts';
import { quote, type IndexReader } from './index-reader.ts';

/** More than any catalog can use. An entry with a longer description is left out. */
const mostDescriptionCharacters = 16_384;

/** Level 1 of an entry. */
export interface EntryMetadata {
  readonly metadata: SkillMetadata;
  readonly complete: boolean;
}

/** Reads level 1 of an entry. `null` for an entry that is left out. */
export function readEntryMetadata(entry: unknown, reader: IndexReader): EntryMetadata | null {
  if (!isJsonObject(entry)) return reader.skip('index-entry-invalid', undefined, `it is not an object: ${quote(entry)}.`);
  const name = fieldOf(entry, 'name');
  if (typeof name !== 'string') return reader.skip('index-entry-invalid', undefined, `it has no name: ${quote(entry)}.`);
  const strict = reader.context.profile === 'strict';
  const [issue] = checkSkillName(name);
  if (issue !== undefined || (strict && !isDiscoveryName(name)))
    return reader.skip(
      'index-entry-name',
      name,
      `its name ${issue?.message ?? 'has letters outside a-z'}.`,
      'Use a-z, 0-9 and single hyphens.',
    );
  const description = fieldOf(entry, 'description');
  if (typeof description !== 'string' || description.trim() === '')
    return reader.skip('index-entry-description', name, 'it has no description.', 'Say what the skill does and when to use it.');
  // Counted only where needed: there are never more characters than UTF-16 units.
  const length = description.length <= maxIndexDescription ? 0 : Array.from(description.slice(0, 2 * mostDescriptionCharacters + 2)).length;
  if (length > (strict ? maxIndexDescription : mostDescriptionCharacters))
    return reader.skip(
      'index-entry-description',
      name,
      `its description has more than ${strict ? maxIndexDescription : mostDescriptionCharacters} characters.`,
    );
  if (length > maxIndexDescription)
    reader.report(
      'warning',
      'index-entry-description',
      `The description of ${quote(name)} has ${length} characters; at most ${maxIndexDescription} are allowed.`,
      name,
    );
  return extended(entry, { name, description: description.trim(), version: null }, reader);
}

function extended(entry: JsonObject, basic: SkillMetadata, reader: IndexReader): EntryMetadata {
  const extension = fieldOf(entry, extensionField);
  const json = isJsonObject(extension) ? fieldOf(extension, 'metadata') : undefined;
  if (!isJsonObject(json)) return { metadata: basic, complete: false };
  let isWhole = true;
  const listed = fieldOf(json, 'description');
  const description = typeof listed === 'string' && listed.trim() !== '' ? listed : basic.description;
  const metadata = skillMetadataFromJson({ ...json, name: basic.name, description }, (key) => {
    isWhole = false;
    reader.report(
      'warning',
      'index-entry-metadata',
      `The field ${key} of the entry ${quote(basic.name)} is not as it must be; it is ignored.`,
      basic.name,
    );
  });
  return { metadata: metadata ?? basic, complete: isWhole };
}
