import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { assert } from '../conformance/assert.ts';
import { ConformanceSetupError, type CaseContext, type CasesOf } from '../conformance/case-context.ts';
import { outcomeOf } from '../conformance/outcome.ts';
import { expectReason } from './abort.ts';
import { callsOf } from './calls.ts';

export const failingCases: CasesOf<'failing'> = {
  'failing/rejects': async (context) => {
    for (const { method, call } of callsOf(await failingProvider(context), 'invoice-check', 'references/policy.md')) {
      const outcome = await outcomeOf(call);
      assert(
        outcome.kind === 'rejected',
        `${method}: expected a rejection of a source that cannot answer, got ${outcome.kind === 'resolved' ? 'an answer' : 'an error at the call'}.`,
      );
      const { error } = outcome;
      assert(SkillError.isInstance(error), `${method}: expected a SkillError, got ${String(error)}.`);
      assert(
        error.code === 'source-unavailable' || error.code === 'timeout',
        `${method}: expected source-unavailable or timeout, got ${error.code}.`,
      );
    }
  },

  'failing/abort-first': async (context) => {
    const reason = { why: 'aborted before the call' };
    for (const { method, call } of callsOf(
      await failingProvider(context),
      'invoice-check',
      'references/policy.md',
      AbortSignal.abort(reason),
    )) {
      expectReason(await outcomeOf(call), reason, method);
    }
  },
};

async function failingProvider({ config, openBy }: CaseContext): Promise<SkillProvider> {
  if (config.failing === undefined) throw new ConformanceSetupError('The cases of `failing` need that hook.');
  return (await openBy(config.failing)).provider;
}
