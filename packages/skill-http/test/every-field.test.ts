import { testEveryField } from '../../skills-core/test/helpers/skills-of-every-field.ts';
import { httpSkillProvider } from '../src/index.ts';
import { createSkillsHandler } from '../src/server.ts';

for (const levelOne of ['index', 'artifact'] as const)
  testEveryField(`SRC-5: HTTP, level 1 from the ${levelOne}`, async (library) =>
    httpSkillProvider({ url: 'https://skills.example', fetch: createSkillsHandler(library), levelOne }),
  );
