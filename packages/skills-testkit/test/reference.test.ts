import { testSkillProvider } from '@repertoire/skills-testkit/vitest';
import { referenceConfig } from './reference-source.ts';

// CON-4: a correct source with every ability passes every case there is.
testSkillProvider(referenceConfig());
