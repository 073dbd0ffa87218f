import { testEveryField } from '../../../skills-core/test/helpers/skills-of-every-field.ts';
import { createSkillLock, lockedProvider, parseSkillLock, serializeSkillLock } from '../../src/lock.ts';

for (const mode of ['verify', 'frozen'] as const)
  testEveryField(`GOV-9: a lock that was written and read (${mode})`, async (library) =>
    lockedProvider(library, parseSkillLock(serializeSkillLock(await createSkillLock(library))), { mode }),
  );
