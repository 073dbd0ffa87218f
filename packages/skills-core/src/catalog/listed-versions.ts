import type { SkillMetadata } from '../contract/skill-provider.ts';

const indexes = new WeakMap<readonly SkillMetadata[], ReadonlyMap<string, readonly SkillMetadata[]>>();

/** The listed versions of a skill, newest first. Frozen listings are indexed by name once. */
export function listedVersions(listed: readonly SkillMetadata[], name: string): readonly SkillMetadata[] {
  const known = indexes.get(listed);
  if (known !== undefined) return known.get(name) ?? [];
  if (!Object.isFrozen(listed)) return listed.filter((skill) => skill.name === name);
  indexes.set(
    listed,
    Map.groupBy(listed, (skill) => skill.name),
  );
  return listedVersions(listed, name);
}
