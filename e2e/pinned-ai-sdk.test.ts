import { testPinnedProperties } from '../packages/skills-core/test/helpers/pinned-properties.ts';
import { propertyRuns } from '../test/support/property-runs.ts';
import { agentConversation } from './pinned/agent-conversation.ts';
import { aiSdkAgent } from './pinned/hosts/ai-sdk.ts';

testPinnedProperties(
  'AI SDK, the server keeps the state',
  async (world) => agentConversation(world, () => aiSdkAgent(true)),
  propertyRuns(72),
);
testPinnedProperties('AI SDK, by its messages alone', async (world) => agentConversation(world, () => aiSdkAgent(false)), propertyRuns(72));
