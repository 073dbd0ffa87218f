import type { SkillProvider } from '@repertoire/skills-core';
import { assert, assertEqual } from '../conformance/assert.ts';
import type { CasesOf } from '../conformance/case-context.ts';
import { outcomeOf } from '../conformance/outcome.ts';
import type { SkillProviderAbility } from '../conformance/requirements.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';
import { namingLibrary } from '../fixtures/frontmatter-libraries.ts';
import { sideBySideLibrary } from '../fixtures/version-libraries.ts';
import { callsOf } from './calls.ts';

export const contractCases: CasesOf<'contract'> = {
  'contract/shape': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    assert(typeof provider.label === 'string' && provider.label.trim() !== '', 'label: expected a text that names the source.');
    for (const method of ['listSkills', 'getSkill', 'readResource'] as const) assertEqual(typeof provider[method], 'function', method);
    // A file closes no tools, whatever it names.
    const naming = await provide(namingLibrary);
    await naming.listSkills();
    assertEqual(naming.gatedTools?.() ?? [], [], 'gatedTools of a source of files');
    assertEqual(Object.keys(naming.toolSet?.() ?? {}), [], 'toolSet of a source of files');
  },

  'contract/promises': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    const aborted = AbortSignal.abort({ why: 'before the call' });
    const aborting = callsOf(provider).map(({ method, call }) => ({ method, call: () => call(aborted) }));
    for (const { method, call } of [...callsOf(provider, 'no-such-skill', '../no-such-file'), ...aborting]) {
      const outcome = await outcomeOf(() => {
        const answer: unknown = call();
        assert(typeof (answer as PromiseLike<unknown> | null)?.then === 'function', `${method} did not return a promise.`);
        return answer as Promise<unknown>;
      });
      if (outcome.kind === 'thrown')
        throw new Error(`${method} threw at the call instead of rejecting: ${String(outcome.error)}`, { cause: outcome.error });
    }
  },

  'contract/abilities': async ({ provide, config }) => {
    const declared = config.abilities ?? [];
    const provider = await provide(sideBySideLibrary);
    const found: SkillProviderAbility[] = [];
    if (provider.watch !== undefined) found.push('watch');
    if (provider[Symbol.asyncDispose] !== undefined) found.push('dispose');
    if (provider.write !== undefined) found.push('write');
    if (await keepsVersions(provider)) found.push('versions');
    if ((await provider.readResource('aside', 'SKILL.md')) !== null) found.push('raw');
    const undeclared = found.filter((ability) => !declared.includes(ability));
    const missing = declared.filter((ability) => !found.includes(ability));
    assert(
      undeclared.length === 0,
      `The provider has abilities that its configuration does not declare: add ${undeclared.join(', ')} to \`abilities\`, so that their cases run.`,
    );
    assert(missing.length === 0, `The configuration declares abilities that the provider does not have: ${missing.join(', ')}.`);
  },
};

async function keepsVersions(provider: SkillProvider): Promise<boolean> {
  const { skills } = await provider.listSkills();
  return skills.filter(({ name }) => name === 'report').length > 1;
}
