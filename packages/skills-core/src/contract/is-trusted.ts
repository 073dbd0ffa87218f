import type { SkillMetadata } from './skill-provider.ts';

/**
 * Whether the host trusts the source of a skill. Only the host can grant trust; the default is
 * untrusted.
 *
 * @example
 * ```ts
 * import { isTrusted, type SkillMetadata } from '@repertoire/skills-core';
 *
 * export const toolsOf = (skill: SkillMetadata): readonly string[] => (isTrusted(skill) ? (skill.tools ?? []) : []);
 * ```
 */
export function isTrusted(skill: Pick<SkillMetadata, 'origin'>): boolean {
  return skill.origin?.trusted === true;
}
