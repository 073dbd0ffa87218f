import type { SkillProviderRequirementId } from '../../src/conformance/requirements.ts';
import { abilityMutants } from './abilities.ts';
import { callMutants } from './calls.ts';
import { pinnedMutants } from './pinned.ts';
import { level1Mutants } from './level-1.ts';
import { level2Mutants } from './level-2.ts';
import { level3Mutants } from './level-3.ts';
import type { Mutant } from './mutant.ts';
import { writeMutants } from './write.ts';

/** For every requirement a provider that breaks it. */
export const mutants: Readonly<Record<SkillProviderRequirementId, Mutant>> = {
  ...level1Mutants,
  ...level2Mutants,
  ...level3Mutants,
  ...callMutants,
  ...abilityMutants,
  ...pinnedMutants,
  ...writeMutants,
};
