import { testHeldProperties } from '../packages/skills-core/test/helpers/held-properties.ts';
import { propertyRuns } from '../test/support/property-runs.ts';
import { agentConversation } from './held/agent-conversation.ts';
import { openAiAgentsAgent } from './held/hosts/openai-agents.ts';

testHeldProperties(
  'OpenAI Agents SDK, the server keeps the state',
  async (world) => agentConversation(world, openAiAgentsAgent(true)),
  propertyRuns(48),
);
testHeldProperties(
  'OpenAI Agents SDK, by its items alone',
  async (world) => agentConversation(world, openAiAgentsAgent(false)),
  propertyRuns(120),
);
