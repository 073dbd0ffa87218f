import type { SkillMetadata } from './skill-provider.ts';

/** Whether the host vouches for the source of a skill. Trust is the host's to give: what nobody vouches for is not trusted. */
export function isTrusted(skill: Pick<SkillMetadata, 'origin'>): boolean {
  return skill.origin?.trusted === true;
}
