import type { SkillProvider } from '@repertoire/skills-core';
import { assert } from '../conformance/assert.ts';
import type { CasesOf } from '../conformance/case-context.ts';
import { outcomeOf } from '../conformance/outcome.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';
import { expectErrors } from './calls.ts';

export const disposeCases: CasesOf<'dispose'> = {
  'dispose/twice': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    await provider.listSkills();
    for (const time of ['first', 'second'] as const) {
      const outcome = await outcomeOf(() => disposeOf(provider));
      if (outcome.kind !== 'resolved') throw new Error(`The ${time} disposal failed: ${String(outcome.error)}`, { cause: outcome.error });
    }
  },

  'dispose/unavailable': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    await provider.listSkills();
    await disposeOf(provider);
    await expectErrors(provider, ['source-unavailable'], 'after disposal');
  },
};

function disposeOf(provider: SkillProvider): Promise<void> {
  const dispose = provider[Symbol.asyncDispose];
  assert(dispose !== undefined, 'The configuration declares dispose; the provider has none.');
  return dispose.call(provider);
}
