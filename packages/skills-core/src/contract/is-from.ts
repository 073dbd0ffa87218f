import type { GetSkillOptions, SkillMetadata } from './skill-provider.ts';

/** Where a skill lies in its source: what its origin says, else its name. */
export function placeOf({ name, origin }: Pick<SkillMetadata, 'name' | 'origin'>): string {
  return origin?.place ?? name;
}

/** Whether a skill is from the source and the place that a call asks for. What the call leaves out fits every skill. */
export function isFrom(
  skill: Pick<SkillMetadata, 'name' | 'origin'>,
  { source, place }: Pick<GetSkillOptions, 'source' | 'place'>,
): boolean {
  return (source === undefined || source === (skill.origin?.label ?? '')) && (place === undefined || place === placeOf(skill));
}
