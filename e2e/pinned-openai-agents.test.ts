import { testPinnedProperties } from '../packages/skills-core/test/helpers/pinned-properties.ts';
import { propertyRuns } from '../test/support/property-runs.ts';
import { agentConversation } from './pinned/agent-conversation.ts';
import { openAiAgentsAgent } from './pinned/hosts/openai-agents.ts';

testPinnedProperties(
  'OpenAI Agents SDK, the server keeps the state',
  async (world) => agentConversation(world, () => openAiAgentsAgent(true)),
  propertyRuns(40),
);
testPinnedProperties(
  'OpenAI Agents SDK, by its items alone',
  async (world) => agentConversation(world, () => openAiAgentsAgent(false)),
  propertyRuns(72),
);
