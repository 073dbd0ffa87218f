import type { GetSkillOptions, SkillMetadata } from '../contract/skill-provider.ts';

/** The options that ask a provider for this very skill, and for no other of its name. */
export function identityOptions({ version, origin }: SkillMetadata): Pick<GetSkillOptions, 'version' | 'source' | 'place'> {
  return {
    version,
    ...(origin !== undefined && { source: origin.label }),
    ...(origin?.place !== undefined && { place: origin.place }),
  };
}
