import { assert, assertEqual, assertFound } from '../conformance/assert.ts';
import type { CasesOf } from '../conformance/case-context.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';
import { claimedUri, claimingLibrary } from '../fixtures/frontmatter-libraries.ts';

export const originCases: CasesOf<'origin'> = {
  'origin/label': async ({ provide, config }) => {
    const provider = await provide(everydayLibrary);
    for (const { name, origin } of (await provider.listSkills()).skills) {
      // A source may leave it out, and is then untrusted.
      if (origin === undefined) {
        assert(config.trusted !== true, `${name} has no origin, so it is untrusted; the configuration says that it is trusted.`);
        continue;
      }
      assertEqual(origin.label, provider.label, `origin.label of ${name}`);
      assert(typeof origin.kind === 'string' && origin.kind !== '', `origin.kind of ${name} is empty.`);
      assertEqual(typeof origin.trusted, 'boolean', `type of origin.trusted of ${name}`);
      if (config.trusted !== undefined) assertEqual(origin.trusted, config.trusted, `origin.trusted of ${name}`);
    }
  },

  'origin/not-claimed': async ({ provide }) => {
    const provider = await provide(claimingLibrary);
    const modest = assertFound(await provider.getSkill('modest'), 'modest');
    for (const name of ['claims-distrust', 'claims-trust']) {
      const { origin } = assertFound(await provider.getSkill(name), name);
      assertEqual(
        [origin?.kind, origin?.label, origin?.trusted],
        [modest.origin?.kind, modest.origin?.label, modest.origin?.trusted],
        `origin of ${name}, compared with a skill that claims nothing`,
      );
      assert(origin?.uri !== claimedUri, `origin.uri of ${name} is what the skill says of itself.`);
    }
  },
};
