import { SkillRegistry } from '../../../src/skillset/skill-registry.ts';
import { testSkillProvider } from '../../../../skills-testkit/src/vitest.ts';
import { parseLibrary } from '../compose/library-source.ts';

// CON-6: the registry is a provider.
testSkillProvider({
  name: 'registry',
  create: async (files) => {
    const registry = new SkillRegistry();
    for (const skill of parseLibrary(files).skills) registry.register(skill);
    const change = async (changed: typeof files) => {
      registry.clear();
      for (const skill of parseLibrary(changed).skills) registry.register(skill);
    };
    return { provider: registry, change };
  },
  abilities: ['watch', 'versions', 'raw'],
  knownFailures: [{ id: 'list/diagnostics', reason: 'bad files are left out before they become definitions' }],
  trusted: true,
});
