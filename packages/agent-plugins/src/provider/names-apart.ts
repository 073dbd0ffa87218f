import type { SkillMetadata } from '@repertoire/skills-core';

/** A skill of a plugin, under its own name. */
export interface OwnName {
  readonly metadata: SkillMetadata;
  readonly plugin: string;
  readonly trusted: boolean;
}

/**
 * The names that skills are listed by: their own, or `plugin:skill` if several plugins have a skill
 * of one name. The order of plugins does not matter. A skill of a trusted plugin keeps its name
 * unless another trusted plugin has it too, so that no untrusted plugin can take it.
 */
export function namesApart(skills: readonly OwnName[]): ReadonlyMap<OwnName, string> {
  const names = new Map<OwnName, string>();
  for (const [name, same] of Map.groupBy(skills, ({ metadata }) => metadata.name)) {
    const trusted = same.filter((one) => one.trusted);
    const keeper = same.length === 1 ? same[0] : trusted.length === 1 ? trusted[0] : undefined;
    for (const skill of same) names.set(skill, skill === keeper ? name : `${skill.plugin}:${name}`);
  }
  return names;
}
