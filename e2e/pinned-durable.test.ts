import { testPinnedProperties } from '../packages/skills-core/test/helpers/pinned-properties.ts';
import { propertyRuns } from '../test/support/property-runs.ts';
import { agentConversation } from './pinned/agent-conversation.ts';
import { durableAgentOf } from './pinned/hosts/durable.ts';

testPinnedProperties(
  'a durable AI SDK loop on LangGraph, killed and resumed',
  async (world) => agentConversation(world, () => durableAgentOf(world)),
  propertyRuns(48),
);
