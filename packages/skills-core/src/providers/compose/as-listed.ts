import type { SkillMetadata, SkillOrigin } from '../../contract/skill-provider.ts';

/**
 * A skill under the name that a composition gives it. Its origin stays, and tells the place that it
 * had under its own name. A source that says nothing of origins gets one with its label, without
 * trust: two such sources are two identities.
 */
export function asListed<Level extends SkillMetadata>(skill: Level, name: string, label: string): Level {
  if (skill.name === name && skill.origin !== undefined) return skill;
  const origin: SkillOrigin = skill.origin ?? { kind: 'unknown', label, trusted: false };
  const isRenamed = skill.name !== name && origin.place === undefined;
  return { ...skill, name, origin: isRenamed ? { ...origin, place: skill.name } : origin };
}
