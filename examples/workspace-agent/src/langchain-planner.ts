import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { loadAgent } from '@repertoire/skill-fs/agent';
import { createAgent, type CreateAgentParams } from 'langchain';
import { workspaceTools } from './workspace-tools.ts';

const tools: Readonly<Record<string, StructuredToolInterface>> = Object.fromEntries(
  Object.entries(workspaceTools).map(([id, { description, schema, run }]) => [
    id,
    tool(() => JSON.stringify(run()), { name: id, description, schema }) as unknown as StructuredToolInterface,
  ]),
);

/** The same planner on LangChain. */
export async function langchainPlanner(model: Exclude<CreateAgentParams['model'], string>) {
  const agent = await loadAgent(new URL('../workspace/agents/planner/', import.meta.url), { tools });
  return createAgent({
    model,
    systemPrompt: agent.instructions,
    tools: Object.values(agent.tools),
    middleware: [skillsMiddleware(agent.skillset)],
  });
}
