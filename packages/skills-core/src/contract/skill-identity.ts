import type { GetSkillOptions, SkillMetadata } from './skill-provider.ts';

/** Where a skill lies in its source: what its origin says, else its name. */
export function placeOf({ name, origin }: Pick<SkillMetadata, 'name' | 'origin'>): string {
  return origin?.place ?? name;
}

/** Label of the source and place in it. With the version they identify a skill. */
export function identityOfSkill(skill: Pick<SkillMetadata, 'name' | 'origin'>): { readonly source: string; readonly place: string } {
  return { source: skill.origin?.label ?? '', place: placeOf(skill) };
}

/** An identity as the key of a map. */
export function identityKey({ source, place }: { readonly source: string; readonly place: string }, version: string | null): string {
  return JSON.stringify([source, place, version]);
}

/** A skill as the key of a map: its identity and its version. */
export function skillKey(skill: Pick<SkillMetadata, 'name' | 'origin' | 'version'>): string {
  return identityKey(identityOfSkill(skill), skill.version);
}

/** Asks a provider for this very skill, and no other of its name. */
export function identityOptions({ version, origin }: SkillMetadata): Pick<GetSkillOptions, 'version' | 'source' | 'place'> {
  return {
    version,
    ...(origin !== undefined && { source: origin.label }),
    ...(origin?.place !== undefined && { place: origin.place }),
  };
}

/** Whether a skill is from the wanted source and place; unset ones match every skill. */
export function isFrom(skill: Pick<SkillMetadata, 'name' | 'origin'>, asked: Pick<GetSkillOptions, 'source' | 'place'>): boolean {
  const { source, place } = identityOfSkill(skill);
  return (asked.source === undefined || asked.source === source) && (asked.place === undefined || asked.place === place);
}
