import type { SkillMetadata } from '@repertoire/skills-core';
import type { JsonObject } from './index-reader.ts';

/** Level 1 of a skill as an index carries it, without what the entry says already. `skillMetadataFromJson` reads it. */
export function levelOneToJson(metadata: SkillMetadata, listedDescription: string): JsonObject {
  const { name: _name, description, origin: _origin, ...rest } = metadata;
  return description === listedDescription ? { ...rest } : { description, ...rest };
}
