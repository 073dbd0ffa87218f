import type { SkillCatalog } from '@repertoire/skills-core';
import type { KeptCatalog } from './skills-state.ts';

/** A catalog in the form that a state keeps. */
export function keepCatalog({ context: _context, ...catalog }: SkillCatalog): KeptCatalog {
  const places = new Map(catalog.skills.map((skill, index) => [skill, index]));
  return { ...catalog, listed: catalog.listed.map((skill) => places.get(skill) ?? skill) };
}

/** The catalog that a state keeps, for a run. */
export function restoreCatalog<Context>(kept: KeptCatalog, context: Context): SkillCatalog<Context> {
  const listed = kept.listed.flatMap((skill) => (typeof skill === 'number' ? (kept.skills[skill] ?? []) : [skill]));
  return { ...kept, listed, context };
}
