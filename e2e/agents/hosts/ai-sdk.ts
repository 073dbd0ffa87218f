import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { cloudflareSkillSource } from '@repertoire/bridges/cloudflare';
import type { Skillset } from '@repertoire/skills-core';
import { scriptedModel, type ScriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { loadSkillCatalog } from 'agents/skills';
import { createSkillTools } from 'agents/skills/tools/ai-sdk';
import { generateText, isStepCount, jsonSchema, tool, type ToolSet } from 'ai';
import {
  basePrompt,
  question,
  refundSchema,
  refundTool,
  scriptFor,
  type AgentHost,
  type CallNames,
  type SeenRequest,
} from '../conversation.ts';

/** A model of the AI SDK that plays the script; Mastra takes it, too. */
export function scriptedLanguageModel(names: CallNames): ScriptedModel {
  return scriptedModel(
    scriptFor(names).map((step) =>
      typeof step === 'string' ? { text: step } : { toolCalls: [{ toolName: step.tool, input: step.input }] },
    ),
  );
}

/** What a request of the AI SDK held. */
export function seenByLanguageModel({ prompt, tools }: LanguageModelV4CallOptions): SeenRequest {
  return {
    system: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'),
    tools: JSON.stringify(tools),
    results: prompt.flatMap((message) =>
      message.role === 'tool' ? message.content.flatMap((part) => (part.type === 'tool-result' ? [JSON.stringify(part.output)] : [])) : [],
    ),
  };
}

function payTool(pay: () => string): ToolSet {
  return { [refundTool.name]: tool({ description: refundTool.description, inputSchema: jsonSchema(refundSchema as never), execute: pay }) };
}

const stopWhen = isStepCount(10);

/** The adapter for the AI SDK. */
export const aiSdkHost: AgentHost = {
  framework: 'AI SDK 7',
  by: 'adapter',
  async play(skillset, pay) {
    const model = scriptedLanguageModel({
      load: (name) => ({ tool: 'load_skill', input: { name } }),
      read: (skill, path) => ({ tool: 'read_skill_file', input: { skill, path } }),
    });
    const skills = await aiSdkSkills(skillset, { tools: payTool(pay) });
    await generateText({ model, prompt: question, stopWhen, ...skills.agentSettings({ instructions: basePrompt }) });
    return model.calls.map(seenByLanguageModel);
  },
};

/** Skills of `agents/skills`, with the tools that Think gives to its model. */
export const cloudflareHost: AgentHost = {
  framework: 'Cloudflare Agents',
  by: 'bridge, `/cloudflare`',
  async play(skillset: Skillset, pay) {
    const catalog = await loadSkillCatalog([cloudflareSkillSource(skillset)]);
    const model = scriptedLanguageModel({
      load: (name) => ({ tool: 'activate_skill', input: { name } }),
      read: (name, path) => ({ tool: 'read_skill_resource', input: { name, path } }),
    });
    const tools = { ...createSkillTools(catalog), ...payTool(pay) };
    await generateText({ model, prompt: question, stopWhen, system: `${basePrompt}\n\n${catalog.prompt() ?? ''}`, tools });
    return model.calls.map(seenByLanguageModel);
  },
};
