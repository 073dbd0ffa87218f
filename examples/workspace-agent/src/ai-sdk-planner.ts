import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { loadAgent } from '@repertoire/skill-fs/agent';
import { dynamicTool, ToolLoopAgent, type LanguageModel, type ToolSet } from 'ai';
import { workspaceTools } from './workspace-tools.ts';

const tools: ToolSet = Object.fromEntries(
  Object.entries(workspaceTools).map(([id, { description, schema, run }]) => [
    id,
    dynamicTool({ description, inputSchema: schema, execute: async () => run() }),
  ]),
);

/** The planner on the AI SDK. */
export async function aiSdkPlanner(model: LanguageModel): Promise<ToolLoopAgent<never, ToolSet>> {
  const agent = await loadAgent(new URL('../workspace/agents/planner/', import.meta.url), { tools });
  const skills = await aiSdkSkills(agent.skillset, { tools: agent.tools });
  return new ToolLoopAgent({ model, ...skills.agentSettings({ instructions: agent.instructions }) });
}
