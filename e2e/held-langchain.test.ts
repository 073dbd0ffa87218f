import { testHeldProperties } from '../packages/skills-core/test/helpers/held-properties.ts';
import { propertyRuns } from '../test/support/property-runs.ts';
import { agentConversation } from './held/agent-conversation.ts';
import { langChainAgent } from './held/hosts/langchain.ts';

testHeldProperties('LangChain agent', async (world) => agentConversation(world, langChainAgent('agent')), propertyRuns(40));
testHeldProperties('LangGraph graph', async (world) => agentConversation(world, langChainAgent('graph')), propertyRuns(40));
