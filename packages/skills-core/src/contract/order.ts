import type { SkillMetadata } from './skill-provider.ts';
import { compareVersionsNewestFirst } from './compare-versions.ts';
import { compareText } from './skill-name.ts';

/**
 * Compares skills by the order in which they are shown: by name, then newest version first.
 *
 * @example
 * ```ts
 * import type { SkillMetadata } from '@repertoire/skills-core';
 * import { compareSkills } from '@repertoire/skills-core/provider';
 *
 * export const inOrder = (skills: readonly SkillMetadata[]): SkillMetadata[] => [...skills].sort(compareSkills);
 * ```
 */
export function compareSkills(a: Pick<SkillMetadata, 'name' | 'version'>, b: Pick<SkillMetadata, 'name' | 'version'>): number {
  return compareText(a.name, b.name) || compareVersionsNewestFirst(a.version, b.version);
}

/**
 * Compares resources by the order in which they are shown: by path.
 *
 * @example
 * ```ts
 * import { compareResources, type SkillResourceEntry } from '@repertoire/skills-core/provider';
 *
 * export const inOrder = (files: readonly SkillResourceEntry[]): SkillResourceEntry[] => [...files].sort(compareResources);
 * ```
 */
export function compareResources(a: { readonly path: string }, b: { readonly path: string }): number {
  return compareText(a.path, b.path);
}
