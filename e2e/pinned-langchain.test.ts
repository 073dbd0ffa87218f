import { testPinnedProperties } from '../packages/skills-core/test/helpers/pinned-properties.ts';
import { propertyRuns } from '../test/support/property-runs.ts';
import { agentConversation } from './pinned/agent-conversation.ts';
import { langChainAgent } from './pinned/hosts/langchain.ts';

testPinnedProperties('LangChain agent', async (world) => agentConversation(world, () => langChainAgent('agent')), propertyRuns(40));
testPinnedProperties('LangGraph graph', async (world) => agentConversation(world, () => langChainAgent('graph')), propertyRuns(40));
