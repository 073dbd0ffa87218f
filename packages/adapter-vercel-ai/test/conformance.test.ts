import { testSkillAdapter } from '@repertoire/skills-testkit/vitest';
import { generateTextAdapter } from '../../../e2e/parity/hosts/ai-sdk.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';

testSkillAdapter({ ...generateTextAdapter, worlds: propertyRuns(60) });
