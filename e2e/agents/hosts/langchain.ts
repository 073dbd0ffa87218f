import { tool } from '@langchain/core/tools';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { deepAgentsBackend } from '@repertoire/bridges/deepagents';
import { scriptedModel, type ScriptedChatModel, type ScriptedChatModelCall } from '@repertoire/skills-testkit/langchain';
import { createDeepAgent } from 'deepagents';
import { createAgent } from 'langchain';
import { z } from 'zod';
import { basePrompt, question, refundTool, scriptFor, type AgentHost, type CallNames, type SeenRequest } from '../conversation.ts';

function scriptedChatModel(names: CallNames): ScriptedChatModel {
  return scriptedModel(
    scriptFor(names).map((step) =>
      typeof step === 'string' ? { text: step } : { toolCalls: [{ toolName: step.tool, input: step.input }] },
    ),
  );
}

function seen({ messages, tools }: ScriptedChatModelCall): SeenRequest {
  const texts = (type: string): string[] => messages.flatMap((message) => (message.getType() === type ? [message.text] : []));
  return {
    system: texts('system').join('\n\n'),
    tools: JSON.stringify(tools.map((given) => convertToOpenAITool(given as never))),
    results: texts('tool'),
  };
}

const payTool = (pay: () => string) => tool(pay, { ...refundTool, schema: z.object({ order: z.string() }) });

/** The adapter for LangChain. */
export const langChainHost: AgentHost = {
  framework: 'LangChain',
  by: 'adapter',
  async play(skillset, pay) {
    const model = scriptedChatModel({
      load: (name) => ({ tool: 'load_skill', input: { name } }),
      read: (skill, path) => ({ tool: 'read_skill_file', input: { skill, path } }),
    });
    const agent = createAgent({ model, systemPrompt: basePrompt, middleware: [skillsMiddleware(skillset, { tools: [payTool(pay)] })] });
    await agent.invoke({ messages: [{ role: 'user', content: question }] });
    return model.calls.map(seen);
  },
};

/** Deep Agents over the bridge. */
export const deepAgentsHost: AgentHost = {
  framework: 'Deep Agents',
  by: 'bridge, `/deepagents`',
  async play(skillset, pay) {
    const model = scriptedChatModel({
      load: (name) => ({ tool: 'read_file', input: { file_path: `/${name}/SKILL.md`, limit: 1000 } }),
      read: (name, path) => ({ tool: 'read_file', input: { file_path: `/${name}/${path}` } }),
    });
    const agent = createDeepAgent({
      model,
      systemPrompt: basePrompt,
      tools: [payTool(pay)],
      backend: deepAgentsBackend(skillset),
      skills: ['/'],
    });
    await agent.invoke({ messages: [{ role: 'user', content: question }] });
    return model.calls.map(seen);
  },
};
