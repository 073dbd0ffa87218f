import { testHeldProperties } from '../packages/skills-core/test/helpers/held-properties.ts';
import { agentConversation } from './held/agent-conversation.ts';
import { langChainAgent } from './held/hosts/langchain.ts';

testHeldProperties('LangChain agent', async (world) => agentConversation(world, langChainAgent('agent')), 20);
testHeldProperties('LangGraph graph', async (world) => agentConversation(world, langChainAgent('graph')), 20);
