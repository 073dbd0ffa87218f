import { testHeldProperties } from '../packages/skills-core/test/helpers/held-properties.ts';
import { propertyRuns } from '../test/support/property-runs.ts';
import { agentConversation } from './held/agent-conversation.ts';
import { aiSdkAgent } from './held/hosts/ai-sdk.ts';

testHeldProperties('AI SDK, the server keeps the state', async (world) => agentConversation(world, aiSdkAgent(true)), propertyRuns(96));
testHeldProperties('AI SDK, by its messages alone', async (world) => agentConversation(world, aiSdkAgent(false)), propertyRuns(96));
