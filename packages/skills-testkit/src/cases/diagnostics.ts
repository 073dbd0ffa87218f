import type { SkillCallOptions, SkillDiagnostic, SkillProvider } from '@repertoire/skills-core';
import { assert, assertEqual } from '../conformance/assert.ts';
import type { CasesOf } from '../conformance/case-context.ts';
import { outcomeOf } from '../conformance/outcome.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';
import { brokenNames, partlyBrokenLibrary } from '../fixtures/frontmatter-libraries.ts';
import { expectReason } from './abort.ts';
import { survives } from './isolation.ts';

export const diagnosticsCases: CasesOf<'diagnostics'> = {
  'diagnostics/bad-skill': async ({ provide }) => {
    const provider = await provide(partlyBrokenLibrary);
    await provider.listSkills();
    const diagnostics = await diagnosticsOf(provider);
    for (const name of brokenNames)
      assert(reports(diagnostics, name), `No diagnostic of severity "error" names ${name}, which the list left out.`);
    for (const { code, message } of diagnostics) assert(code !== '' && message !== '', 'A diagnostic has no code or no message.');
  },

  'diagnostics/first': async ({ provide }) => {
    const diagnostics = await diagnosticsOf(await provide(partlyBrokenLibrary));
    for (const name of brokenNames)
      assert(reports(diagnostics, name), `No diagnostic of severity "error" names ${name} before a list was asked for.`);
  },

  'diagnostics/clean': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    await provider.listSkills();
    assertEqual(
      (await diagnosticsOf(provider)).filter(({ severity }) => severity === 'error'),
      [],
      'errors of a source without faults',
    );
  },

  'diagnostics/isolation': async ({ provide }) => {
    const provider = await provide(partlyBrokenLibrary);
    await survives(() => diagnosticsOf(provider), 'the diagnostics');
  },

  'diagnostics/abort': async ({ provide }) => {
    const provider = await provide(partlyBrokenLibrary);
    const reason = { why: 'aborted before the call' };
    expectReason(await outcomeOf(() => diagnosticsOf(provider, { signal: AbortSignal.abort(reason) })), reason, 'diagnostics');
  },
};

function diagnosticsOf(provider: SkillProvider, options?: SkillCallOptions): Promise<readonly SkillDiagnostic[]> {
  assert(provider.diagnostics !== undefined, 'The configuration declares diagnostics; the provider has none.');
  return provider.diagnostics(options);
}

function reports(diagnostics: readonly SkillDiagnostic[], name: string): boolean {
  return diagnostics.some(
    ({ severity, skill, path }) => severity === 'error' && (skill === name || path?.split(/[/\\]/).includes(name) === true),
  );
}
