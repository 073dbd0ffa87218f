import { testSkillAdapter } from '@repertoire/skills-testkit/vitest';
import { langChainAgentAdapter } from '../../../e2e/parity/hosts/langchain-agent.ts';
import { langGraphAdapter } from '../../../e2e/parity/hosts/langgraph.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';

testSkillAdapter({ ...langChainAgentAdapter, worlds: propertyRuns(32) });
testSkillAdapter({ ...langGraphAdapter, worlds: propertyRuns(32) });
