import type { SkillProvider } from '@repertoire/skills-core';
import { ConformanceSetupError, type CaseContext, type CasesOf } from '../conformance/case-context.ts';
import { outcomeOf } from '../conformance/outcome.ts';
import { expectReason } from './abort.ts';
import { callsOf, expectErrors } from './calls.ts';

export const failingCases: CasesOf<'failing'> = {
  'failing/rejects': async (context) =>
    await expectErrors(await failingProvider(context), ['source-unavailable', 'timeout'], 'of a source that cannot answer'),

  'failing/abort-first': async (context) => {
    const reason = { why: 'aborted before the call' };
    for (const { method, call } of callsOf(await failingProvider(context)))
      expectReason(await outcomeOf(() => call(AbortSignal.abort(reason))), reason, method);
  },
};

async function failingProvider({ config, openBy }: CaseContext): Promise<SkillProvider> {
  if (config.failing === undefined) throw new ConformanceSetupError('The cases of `failing` need that hook.');
  return (await openBy(config.failing)).provider;
}
