import { SkillRegistry } from '../../skills-core/src/index.ts';
import { withSkillCards } from '../src/index.ts';
import { testSkillProvider } from '../../skills-testkit/src/vitest.ts';
import { parseLibrary } from '../../skills-core/test/providers/compose/library-source.ts';

// FMT-4: around any provider, it is one.
testSkillProvider({
  name: 'with cards',
  create: async (files) => {
    const registry = new SkillRegistry({ skills: parseLibrary(files).skills });
    const change = async (changed: typeof files) => {
      registry.clear();
      for (const skill of parseLibrary(changed).skills) registry.register(skill);
    };
    return { provider: withSkillCards(registry), change };
  },
  abilities: ['watch', 'versions', 'raw'],
  knownFailures: [{ id: 'list/diagnostics', reason: 'bad files are left out before they become definitions' }],
  trusted: true,
});
