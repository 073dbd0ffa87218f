import { testHeldProperties } from '../packages/skills-core/test/helpers/held-properties.ts';
import { propertyRuns } from '../test/support/property-runs.ts';
import { agentConversation } from './held/agent-conversation.ts';
import { durableAgentOf } from './held/hosts/durable.ts';

testHeldProperties(
  'a durable AI SDK loop on LangGraph, killed and resumed',
  async (world) => agentConversation(world, durableAgentOf(world)),
  propertyRuns(64),
);
