import { skillProviderCases } from '@repertoire/skills-testkit';
import { type SkillProviderRequirementId, skillProviderRequirements } from '../src/conformance/requirements.ts';
import { describe, expect, it } from 'vitest';
import { furtherMutants } from './mutants/further.ts';
import { mutants } from './mutants/index.ts';
import type { Mutant } from './mutants/mutant.ts';
import { referenceConfig } from './reference-source.ts';

// Most tests run the whole suite: give a busy machine time.
describe('CON-4: a provider with a fault fails the suite, in the case that is meant for the fault', () => {
  it.concurrent.each(skillProviderRequirements.map(({ id }) => ({ id, ...mutants[id] })))(
    '$id: a provider that $fault',
    async ({ id, ...mutant }) => {
      expect(await failingCases(mutant)).toEqual([id, ...(mutant.alsoBreaks ?? [])].sort());
    },
  );

  it.concurrent.each(furtherMutants)('$id: a provider that $fault', async ({ id, ...mutant }) => {
    expect(await failingCases(mutant, id)).toEqual([id]);
  });
});

/** The cases that fail, of all or of the one that is named. */
async function failingCases({ mutate }: Mutant, only?: SkillProviderRequirementId): Promise<SkillProviderRequirementId[]> {
  const outcomes = await Promise.all(
    skillProviderCases(referenceConfig(mutate))
      .filter(({ id }) => only === undefined || id === only)
      .map(({ id, run }) =>
        run().then(
          () => [],
          () => [id],
        ),
      ),
  );
  return outcomes.flat().sort();
}
