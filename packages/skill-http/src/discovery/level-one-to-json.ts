import type { SkillMetadata } from '@repertoire/skills-core';
import type { JsonObject } from '@repertoire/skills-core/internal';

/**
 * Level 1 of a skill as an index carries it, without what the entry says already.
 * `skillMetadataFromJson` reads it.
 */
export function levelOneToJson(metadata: SkillMetadata, listedDescription: string): JsonObject {
  const { name: _name, description, version, origin: _origin, content: _content, ...others } = metadata;
  const rest = { ...(version !== null && { version }), ...others };
  return description === listedDescription ? rest : { description, ...rest };
}
