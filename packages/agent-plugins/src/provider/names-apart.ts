import type { SkillMetadata } from '@repertoire/skills-core';

/** A skill of a plugin, under its own name. */
export interface OwnName {
  readonly metadata: SkillMetadata;
  readonly plugin: string;
  readonly trusted: boolean;
}

/**
 * The names that skills are listed by: their own, and `plugin:skill` where several plugins have one
 * of a name. Depends on what there is and not on its order. A skill of a plugin that the host
 * trusts keeps its name if no other trusted one has it, so that no plugin without trust takes it
 * away.
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
