import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { assert } from '../conformance/assert.ts';
import type { CasesOf } from '../conformance/case-context.ts';
import { outcomeOf } from '../conformance/outcome.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';
import { callsOf } from './calls.ts';

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
    for (const { method, call } of callsOf(provider, 'invoice-check', 'references/policy.md')) {
      const outcome = await outcomeOf(call);
      assert(
        outcome.kind === 'rejected',
        `${method} after disposal: expected a rejection, got ${outcome.kind === 'resolved' ? 'an answer' : 'an error at the call'}.`,
      );
      const { error } = outcome;
      assert(
        SkillError.isInstance(error) && error.code === 'source-unavailable',
        `${method} after disposal: expected a SkillError of code source-unavailable, got ${String(error)}.`,
      );
    }
  },
};

function disposeOf(provider: SkillProvider): Promise<void> {
  const dispose = provider[Symbol.asyncDispose];
  assert(dispose !== undefined, 'The configuration declares dispose; the provider has none.');
  return dispose.call(provider);
}
