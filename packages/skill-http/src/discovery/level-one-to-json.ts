import type { SkillMetadata } from '@repertoire/skills-core';
import type { JsonObject } from '@repertoire/skills-core/internal';

/** Level 1 as an index carries it, for `skillMetadataFromJson`. */
export function levelOneToJson(metadata: SkillMetadata, listedDescription: string): JsonObject {
  const { name: _name, description, version, origin: _origin, content: _content, ...others } = metadata;
  const rest = { ...(version !== null && { version }), ...others };
  return description === listedDescription ? rest : { description, ...rest };
}
