import { composeProviders, selectSkills, SkillRegistry } from '@repertoire/skills-core';
import { wrapProvider } from '@repertoire/skills-core/provider';
import { filesOfLibrary, ofCode, testEveryField } from '../helpers/skills-of-every-field.ts';
import { parseLibrary } from './compose/library-source.ts';

testEveryField('DIS-1: a selection of all', async (library) => selectSkills(library, () => true));
testEveryField('DIS-1: two sources as one', async (library) => composeProviders([new SkillRegistry({ label: 'empty' }), library]));
testEveryField('CON-1: a provider around another', async (library) =>
  wrapProvider(library, {
    listSkills: (options) => library.listSkills(options),
    getSkill: (name, options) => library.getSkill(name, options),
    readResource: (name, path, options) => library.readResource(name, path, options),
  }),
);
testEveryField(
  'FMT-1: files that are parsed',
  async (library) => new SkillRegistry({ skills: parseLibrary(await filesOfLibrary(library)).skills }),
  { ...ofCode, hasVersions: false },
);
