import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { createSkillset } from '@repertoire/skills-core';
import { scriptedModel as aiSdkModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { run, setTracingDisabled } from '@openai/agents-core';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { generateText, isStepCount } from 'ai';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { pluginTools as aiSdkPluginTools } from '../src/ai-sdk.ts';
import { pluginTools as langChainPluginTools } from '../src/langchain.ts';
import { pluginTools as agentsPluginTools } from '../src/openai-agents.ts';
import { ledgerPlugin } from './support/ledger-plugin.ts';
import { startHttpServer } from './support/mcp-servers.ts';

setTracingDisabled(true);

const steps = [
  ['ledger', { account: 'before' }],
  ['load_skill', { name: 'pay' }],
  ['ledger', { account: 'during' }],
  ['balance', { account: 'web' }],
  ['unload_skill', { name: 'pay' }],
  ['ledger', { account: 'after' }],
] as const;

async function parts() {
  const http = await startHttpServer();
  const plugin = await ledgerPlugin({
    servers: { web: { type: 'streamable-http', url: `${http.url}/mcp` } },
    options: { allow: ['billing/ledger', 'billing/web'] },
  });
  return {
    ...plugin,
    skillset: createSkillset({ provider: plugin.provider, surface: { unload: true } }),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

describe('PLG-5: tools of plugins in frameworks', () => {
  it('AI SDK: come with a skill and leave with it', async () => {
    await using plugin = await parts();
    const skills = await aiSdkSkills(plugin.skillset, { toolSources: [aiSdkPluginTools(plugin.servers)] });
    // The tools are known, and nothing stays open for that.
    expect(plugin.isRunning()).toBe(false);
    const running: boolean[] = [];
    const model = aiSdkModel([...steps.map(([toolName, input]) => ({ toolCalls: [{ toolName, input }] })), { text: 'Done.' }]);
    const { steps: done } = await generateText({
      model,
      prompt: 'Go',
      stopWhen: isStepCount(20),
      ...skills.agentSettings(),
      onStepFinish: () => void running.push(plugin.isRunning()),
    });
    const results = done.flatMap(({ content }) => content).filter((part) => part.type === 'tool-result' || part.type === 'tool-error');
    const texts = results.map((part) => (part.type === 'tool-result' ? String(part.output) : `failed: ${String(part.error)}`));
    expect(texts[0]).toMatch(/pay/);
    expect(texts[0]).not.toMatch(/^before \{/);
    expect(texts[2]).toMatch(/^during \{/);
    expect(texts[3]).toBe('web: 7');
    expect(texts[5]).not.toMatch(/^after \{/);
    expect(running.slice(0, 3)).toEqual([false, false, true]);
    await skills.close();
    expect(plugin.isRunning()).toBe(false);
  });

  it('LangChain: come with a skill and leave with it', async () => {
    await using plugin = await parts();
    const running: boolean[] = [];
    const model = scriptedModel((_call, index) => {
      running.push(plugin.isRunning());
      const step = steps[index];
      return step === undefined ? { text: 'Done.' } : { toolCalls: [{ toolName: step[0], input: step[1] }] };
    });
    const agent = createAgent({
      model,
      tools: [],
      middleware: [skillsMiddleware(plugin.skillset, { toolSources: [langChainPluginTools(plugin.servers)] })],
    });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Go' }] });
    const texts = toolTexts(messages);
    expect(texts[0]).not.toMatch(/before \{/);
    expect(texts[2]).toMatch(/^during \{/);
    expect(texts[3]).toBe('web: 7');
    expect(texts[5]).not.toMatch(/after \{/);
    expect(running).toEqual([false, false, true, true, true, false, false]);
  });

  it('OpenAI Agents: come with a skill and leave with it', async () => {
    await using plugin = await parts();
    const skills = openAiAgentsSkills(plugin.skillset, { toolSources: [agentsPluginTools(plugin.servers)] });
    const play = async (calls: readonly (typeof steps)[number][]) => {
      const turns = calls.map(([name, input], index) => [functionCall(name, input, { callId: `call-${index}` })]);
      const model = new ScriptedModel([...turns, [assistantMessage('Done.')]]);
      const { history } = await run(skills.agent({ name: 'a', model }), 'Go', { maxTurns: 20 });
      return history.flatMap((item) => {
        const { type, output } = item as { type?: string; output?: string | { text?: string } };
        return type === 'function_call_result' ? [typeof output === 'string' ? output : (output?.text ?? '')] : [];
      });
    };
    // This framework ends a run that calls a tool which it was not given.
    await expect(play([steps[0]])).rejects.toThrow(/ledger not found/);
    const texts = await play(steps.slice(1, 5));
    expect(texts[1]).toMatch(/^during \{/);
    expect(texts[2]).toBe('web: 7');
    expect(plugin.isRunning()).toBe(true);
    await plugin.servers[Symbol.asyncDispose]();
    expect(plugin.isRunning()).toBe(false);
  });
});

function toolTexts(messages: readonly BaseMessage[]): string[] {
  return messages
    .filter((message) => message.getType() === 'tool' && !AIMessage.isInstance(message))
    .map((message) => String(message.content));
}
