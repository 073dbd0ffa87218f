import { tool as langchainTool } from '@langchain/core/tools';
import { createSkillset, emptySkillState } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as scriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { jsonSchema, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aiSdkGenerate, aiSdkTools } from '../src/ai-sdk.ts';
import { runWorkflow, skillWorkflows, type WorkflowSkill } from '../src/index.ts';
import { langchainGenerate, langchainTools } from '../src/langchain.ts';

const skill: WorkflowSkill & { description: string } = {
  name: 'sums',
  description: 'Adds.',
  origin: { kind: 'code', label: 'tests', trusted: true },
  steps: [
    { name: 'add', tool: 'add', input: { a: '$.input.a', b: 2 } },
    { name: 'tell', prompt: 'Tell the sum.', input: { sum: '$.steps.add.output.sum' } },
  ],
};

describe('the AI SDK', () => {
  const seen: unknown[] = [];
  const add = tool({
    description: 'Adds.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }, { toolCallId, messages, abortSignal }) => {
      seen.push([toolCallId, messages, abortSignal]);
      return { sum: a + b };
    },
  });

  it('FLW-1: its tools check their input and get the key as the id of the call; its models answer prompts', async () => {
    const model = scriptedModel([{ text: 'Three.' }]);
    const { signal } = new AbortController();
    const options = { tools: aiSdkTools({ add }), generate: aiSdkGenerate(model), workflowId: 'w', signal };
    expect((await runWorkflow(skill, { ...options, input: { a: 1 } })).output).toBe('Three.');
    expect(seen).toEqual([['w:add', [], signal]]);
    expect(model.calls[0]?.prompt.map(({ role, content }) => [role, typeof content === 'string' ? content : content[0]])).toEqual([
      ['system', expect.stringContaining('You carry out one step')],
      ['user', expect.objectContaining({ text: 'Tell the sum.\n\n<input name="sum">\n3\n</input>' })],
    ]);
    await expect(runWorkflow(skill, { ...options, input: { a: 'one' } })).rejects.toThrow('The tool "add" refuses its input');
  });

  it('FLW-1: a tool that streams gives its last value; one without execute does not exist; one that needs approval is refused', async () => {
    const inputSchema = jsonSchema<Record<string, unknown>>({ type: 'object' });
    async function* stream() {
      yield { sum: 1 };
      yield { sum: 2 };
    }
    const tools = aiSdkTools({ add: tool({ inputSchema, execute: stream }), ask: tool({ inputSchema }) });
    expect(Object.keys(tools)).toEqual(['add']);
    const generate = aiSdkGenerate(scriptedModel([{ text: 'Two.' }]));
    expect((await runWorkflow(skill, { tools, generate, input: { a: 1 } })).steps['add']).toEqual({ output: { sum: 2 } });
    expect(() => aiSdkTools({ add: tool({ inputSchema, needsApproval: true, execute: () => 1 }) })).toThrow('needs approval');
  });

  it('FLW-4: the schema of the workflow takes the parameters of its tools', async () => {
    const { name, description, steps = [] } = skill;
    const skillset = createSkillset({
      skills: [{ name, description, steps, body: '' }],
      workflows: skillWorkflows({ tools: aiSdkTools({ add }), generate: async () => '' }),
    });
    const { text } = await (await skillset.open()).load({ name }, { state: emptySkillState });
    expect(text).toContain('"properties":{"a":{"type":"number"}}');
  });
});

describe('LangChain', () => {
  it('FLW-1: its tools and its models do the same', async () => {
    const seen: unknown[] = [];
    const add = langchainTool(
      ({ a, b }: { a: number; b: number }, config: { metadata?: Record<string, unknown> }) => {
        seen.push(config.metadata?.['idempotencyKey']);
        return { sum: a + b };
      },
      { name: 'add', description: 'Adds.', schema: z.object({ a: z.number(), b: z.number() }) },
    );
    const model = scriptedChatModel([{ text: 'Three.' }]);
    const options = { tools: langchainTools([add]), generate: langchainGenerate(model), workflowId: 'w' };
    expect((await runWorkflow(skill, { ...options, input: { a: 1 } })).output).toBe('Three.');
    expect(seen).toEqual(['w:add']);
    expect(model.calls[0]?.messages.map(({ type, text }) => [type, text])).toEqual([
      ['system', expect.stringContaining('You carry out one step')],
      ['human', 'Tell the sum.\n\n<input name="sum">\n3\n</input>'],
    ]);
    await expect(runWorkflow(skill, { ...options, input: { a: 'one' } })).rejects.toThrow('Step "add"');
  });
});
