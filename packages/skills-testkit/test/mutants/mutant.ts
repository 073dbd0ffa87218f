import type { Skill, SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import type { SkillListing, SkillResource } from '@repertoire/skills-core/provider';
import type { SkillLibraryFiles } from '../../src/index.ts';
import type { SkillProviderRequirementId } from '../../src/conformance/requirements.ts';

/** A provider that has every ability, as the mutants are made of one. */
export type Whole = Required<SkillProvider>;

/** A provider with one fault. */
export interface Mutant {
  /** What it does wrong. */
  readonly fault: string;
  /** Puts the fault into a correct provider. */
  readonly mutate: (provider: Whole, files: SkillLibraryFiles) => SkillProvider;
  /** Other requirements that the same fault breaks, by its nature. */
  readonly alsoBreaks?: readonly SkillProviderRequirementId[];
}

/** A mutant for every requirement of some areas. The compiler asks for one where a requirement is added. */
export type MutantsOf<Area extends string> = { readonly [Id in Extract<SkillProviderRequirementId, `${Area}/${string}`>]: Mutant };

/** Changes what the list answers. */
export function answering(provider: Whole, change: (listing: SkillListing) => SkillListing | Promise<SkillListing>): Whole {
  return { ...provider, listSkills: async (options) => change(await provider.listSkills(options)) };
}

/** Changes the skills of the list. */
export function listing(
  provider: Whole,
  change: (skills: readonly SkillMetadata[]) => readonly SkillMetadata[] | Promise<readonly SkillMetadata[]>,
): Whole {
  return answering(provider, async (answer) => ({ ...answer, skills: await change(answer.skills) }));
}

/** Changes the skills that are got. */
export function getting(provider: Whole, change: (skill: Skill) => Skill | Promise<Skill>): Whole {
  return {
    ...provider,
    async getSkill(name, options) {
      const skill = await provider.getSkill(name, options);
      return skill === null ? null : change(skill);
    },
  };
}

/** Changes level 1, in the list and in the skills. */
export function level1(provider: Whole, change: <Level extends SkillMetadata>(skill: Level) => Level | Omit<Level, 'license'>): Whole {
  return listing(
    getting(provider, (skill) => change(skill) as Skill),
    (skills) => skills.map((skill) => change(skill) as SkillMetadata),
  );
}

/** Changes the files that are read. */
export function reading(provider: Whole, change: (resource: SkillResource) => SkillResource | null | Promise<SkillResource | null>): Whole {
  return {
    ...provider,
    async readResource(name, path, options) {
      const resource = await provider.readResource(name, path, options);
      return resource === null ? null : change(resource);
    },
  };
}

export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
