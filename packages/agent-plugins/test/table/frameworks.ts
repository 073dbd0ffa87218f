import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import type { Skillset } from '@repertoire/skills-core';
import { scriptedModel as aiSdkModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as chatModel } from '@repertoire/skills-testkit/langchain';
import { ToolMessage } from '@langchain/core/messages';
import { run, setTracingDisabled } from '@openai/agents-core';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { generateText, isStepCount } from 'ai';
import { createAgent } from 'langchain';
import { pluginTools as aiSdkPluginTools } from '../../src/ai-sdk.ts';
import { pluginTools as langChainPluginTools } from '../../src/langchain.ts';
import { pluginTools as agentsPluginTools } from '../../src/openai-agents.ts';
import type { PluginServers } from '../../src/servers.ts';

setTracingDisabled(true);

/** One conversation: a step that loads skills, and one that calls tools. */
export interface Conversation {
  readonly skillset: Skillset;
  readonly servers: PluginServers;
  readonly skills: readonly string[];
  readonly tools: readonly string[];
}

/** What came of it. */
export interface Played {
  /** What the model got for each call, by the skill or the tool. */
  readonly answers: ReadonlyMap<string, string>;
  /** The tools that the model had behind the first step. */
  readonly offered: readonly string[];
}

interface Call {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, string>>;
}

/** The frameworks that have tools of plugins. */
export const frameworks: Readonly<Record<string, (conversation: Conversation) => Promise<Played>>> = {
  'AI SDK': async ({ skillset, servers, ...asked }) => {
    const skills = await aiSdkSkills(skillset, { toolSources: [aiSdkPluginTools(servers)] });
    const model = aiSdkModel([...callsOf(asked).map((toolCalls) => ({ toolCalls })), { text: 'Done.' }]);
    const { steps } = await generateText({ model, prompt: 'Go', stopWhen: isStepCount(4), ...skills.agentSettings() });
    await skills.close();
    const results = steps.flatMap(({ content }) => content);
    const answers = results.flatMap((part): [string, string][] =>
      part.type === 'tool-result'
        ? [[part.toolCallId, String(part.output)]]
        : part.type === 'tool-error'
          ? [[part.toolCallId, `failed: ${String(part.error)}`]]
          : [],
    );
    return { answers: new Map(answers), offered: (model.calls[1]?.tools ?? []).map(({ name }) => name) };
  },

  LangChain: async ({ skillset, servers, ...asked }) => {
    const model = chatModel([...callsOf(asked).map((toolCalls) => ({ toolCalls })), { text: 'Done.' }]);
    const middleware = [skillsMiddleware(skillset, { toolSources: [langChainPluginTools(servers)] })];
    const { messages } = await createAgent({ model, tools: [], middleware }).invoke({ messages: [{ role: 'user', content: 'Go' }] });
    const answers = messages
      .filter((message) => ToolMessage.isInstance(message))
      .map((message) => [message.tool_call_id, message.text] as const);
    return { answers: new Map(answers), offered: model.calls[1]?.toolNames ?? [] };
  },

  'OpenAI Agents': async ({ skillset, servers, ...asked }) => {
    const turns = callsOf(asked).map((calls) =>
      calls.map(({ toolName, input, toolCallId }) => functionCall(toolName, input, { callId: toolCallId })),
    );
    const model = new ScriptedModel([...turns, [assistantMessage('Done.')]]);
    const skills = openAiAgentsSkills(skillset, { toolSources: [agentsPluginTools(servers)] });
    const { history } = await run(skills.agent({ name: 'a', model }), 'Go', { maxTurns: 4 });
    const answers = history.flatMap((item): [string, string][] => {
      if (item.type !== 'function_call_result') return [];
      return [[item.callId, typeof item.output === 'string' ? item.output : JSON.stringify(item.output)]];
    });
    return { answers: new Map(answers), offered: (model.calls[1]?.request.tools ?? []).map(({ name }) => name) };
  },
};

function callsOf({ skills, tools }: Pick<Conversation, 'skills' | 'tools'>): readonly (readonly Call[])[] {
  return [
    skills.map((name) => ({ toolCallId: name, toolName: 'load_skill', input: { name } })),
    tools.map((toolName) => ({ toolCallId: toolName, toolName, input: {} })),
  ];
}
