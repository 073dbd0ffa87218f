import { testHeldProperties } from '../packages/skills-core/test/helpers/held-properties.ts';
import { agentConversation } from './held/agent-conversation.ts';
import { openAiAgentsAgent } from './held/hosts/openai-agents.ts';

testHeldProperties('OpenAI Agents SDK, the server keeps the state', async (world) => agentConversation(world, openAiAgentsAgent(true)), 30);
testHeldProperties('OpenAI Agents SDK, by its items alone', async (world) => agentConversation(world, openAiAgentsAgent(false)), 30);
