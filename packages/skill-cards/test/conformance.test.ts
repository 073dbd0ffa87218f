import { inCodeSkillProvider } from '../../skills-core/src/index.ts';
import { withSkillCards } from '../src/index.ts';
import { testSkillProvider } from '../../skills-testkit/src/vitest.ts';
import { parseLibrary } from '../../skills-core/test/providers/compose/library-source.ts';

// FMT-4: around any provider, it is one.
testSkillProvider({
  name: 'with cards',
  create: async (files) => ({ provider: withSkillCards(inCodeSkillProvider(parseLibrary(files).skills)) }),
  abilities: ['versions', 'raw'],
  knownFailures: [{ id: 'list/diagnostics', reason: 'bad files are left out before they become definitions' }],
  trusted: true,
});
