import { testHeldProperties } from '../packages/skills-core/test/helpers/held-properties.ts';
import type { World } from '../packages/skills-core/test/helpers/held-worlds.ts';
import { agentConversation, type HeldAgent } from './held/agent-conversation.ts';
import { aiSdkAgent } from './held/hosts/ai-sdk.ts';
import { durableAgentOf } from './held/hosts/durable.ts';
import { langChainAgent } from './held/hosts/langchain.ts';
import { openAiAgentsAgent } from './held/hosts/openai-agents.ts';

/** The hosts, and how many programs each one plays: some frameworks take their time. */
const hosts: Readonly<Record<string, readonly [begin: (world: World) => HeldAgent, numRuns: number]>> = {
  'AI SDK, the server keeps the state': [() => aiSdkAgent(true), 50],
  'AI SDK, by its messages alone': [() => aiSdkAgent(false), 50],
  'LangChain agent': [() => langChainAgent('agent'), 30],
  'LangGraph graph': [() => langChainAgent('graph'), 30],
  'OpenAI Agents SDK, the server keeps the state': [() => openAiAgentsAgent(true), 40],
  'OpenAI Agents SDK, by its items alone': [() => openAiAgentsAgent(false), 40],
  'a durable AI SDK loop on LangGraph, killed and resumed': [durableAgentOf, 40],
};

for (const [name, [begin, numRuns]] of Object.entries(hosts)) {
  testHeldProperties(name, async (world) => agentConversation(world, begin(world)), numRuns);
}
