import { selectSkills } from '../../../src/providers/select-skills.ts';
import { testSkillProvider } from '../../../../skills-testkit/src/vitest.ts';
import { librarySource, parseLibrary, type ParsedLibrary } from '../compose/library-source.ts';

const hidden = { name: 'zz-of-another-tenant', description: 'Belongs to another tenant. Never shown.', body: 'Hidden.' };

// CON-7: a view is a source in which the hidden skills do not exist.
testSkillProvider({
  name: 'selection',
  create: async (files) => {
    const withHidden = ({ skills, diagnostics }: ParsedLibrary) => ({ skills: [...skills, hidden], diagnostics });
    const source = librarySource('all', withHidden(parseLibrary(files)));
    return {
      provider: selectSkills(source.provider, (skill) => skill.name !== hidden.name),
      change: async (changed) => source.set(withHidden(parseLibrary(changed))),
    };
  },
  abilities: ['watch', 'versions', 'raw'],
  trusted: true,
});
