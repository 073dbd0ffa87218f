import type { SkillMetadata } from './skill-provider.ts';

/**
 * Whether a listed skill can be asked for. One without a version beside versions of its name cannot: leaving the version out asks for the newest.
 *
 * @param listed what `listSkills` gave, in its order
 * @example
 * ```ts
 * import { isReachable, type SkillProvider } from '@repertoire/skills-core';
 *
 * export async function readAll(provider: SkillProvider) {
 *   const listed = await provider.listSkills();
 *   const reachable = listed.filter((_skill, index) => isReachable(listed, index));
 *   return await Promise.all(reachable.map(({ name, version }) => provider.getSkill(name, { version })));
 * }
 * ```
 */
export function isReachable(listed: readonly SkillMetadata[], index: number): boolean {
  const skill = listed[index];
  // Versions of one name stand together, and what has none stands last.
  return skill !== undefined && (skill.version !== undefined || listed[index - 1]?.name !== skill.name);
}
