import type { SkillMetadata, SkillOrigin } from '../../contract/skill-provider.ts';

export function asListed<Level extends SkillMetadata>(skill: Level, name: string, label: string): Level {
  if (skill.name === name && skill.origin !== undefined) return skill;
  const origin: SkillOrigin = skill.origin ?? { kind: 'unknown', label, trusted: false };
  const isRenamed = skill.name !== name && origin.place === undefined;
  return { ...skill, name, origin: isRenamed ? { ...origin, place: skill.name } : origin };
}
