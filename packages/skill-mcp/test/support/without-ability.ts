import type { SkillProvider } from '@repertoire/skills-core';

/** The same provider, for a suite in which one of its abilities cannot be shown. */
export function withoutAbility(provider: SkillProvider, ability: 'diagnostics'): SkillProvider {
  const rest = { ...provider };
  delete rest[ability];
  return rest;
}
