import type { SkillMetadata } from '@repertoire/skills-core';
import type { SkillEntry } from '../discovery/skill-entry.ts';

/**
 * Level 1 of a fetched skill: listed values stay, missing ones come from the SKILL.md. A version
 * that was not listed is in `fields`. Closed to models if either says so.
 */
export function mergeLevelOne({ metadata: listed, complete }: SkillEntry, parsed: SkillMetadata): SkillMetadata {
  const { version, ...rest } = parsed;
  // Callers ask by name and version, so both stay as listed.
  const unlisted = listed.version === null && version !== null && !complete ? { version } : {};
  const fields = { ...parsed.fields, ...unlisted, ...listed.fields };
  return {
    ...rest,
    ...listed,
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(parsed.disableModelInvocation === true && { disableModelInvocation: true }),
    ...(parsed.userInvocable === false && { userInvocable: false }),
  };
}

/** The listed fields that the SKILL.md contradicts. */
export function differences({ metadata: listed, version }: SkillEntry, parsed: SkillMetadata): string[] {
  return [
    ...(listed.description.trim() === parsed.description.trim() ? [] : ['description']),
    ...(version === null || version === parsed.version ? [] : ['version']),
  ];
}
