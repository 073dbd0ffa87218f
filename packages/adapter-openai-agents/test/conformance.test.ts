import { testSkillAdapter } from '@repertoire/skills-testkit/vitest';
import { openAiAgentsAdapter } from '../../../e2e/parity/hosts/openai-agents.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';

testSkillAdapter({ ...openAiAgentsAdapter, worlds: propertyRuns(32) });
