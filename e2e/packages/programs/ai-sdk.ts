/** An agent of the AI SDK that may call a tool only after it loaded the skill which opens it. */
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { isStepCount, jsonSchema, tool, ToolLoopAgent } from 'ai';

const invoices = defineSkill({
  name: 'invoices',
  description: 'Writes invoices. Use when asked for one.',
  body: 'Call number.',
  tools: ['number'],
});

export async function answer(): Promise<unknown> {
  const numbered: string[] = [];
  const number = tool({
    inputSchema: jsonSchema<{ order: string }>({ type: 'object', properties: { order: { type: 'string' } }, required: ['order'] }),
    execute: ({ order }) => `number ${numbered.push(order)}`,
  });
  const model = scriptedModel([
    { toolCalls: [{ toolName: 'number', input: { order: 'too early' } }] },
    { toolCalls: [{ toolName: 'load_skill', input: { name: 'invoices' } }] },
    { toolCalls: [{ toolName: 'number', input: { order: 'B-7' } }] },
    { text: 'It is written.' },
  ]);
  const skills = await aiSdkSkills(createSkillset({ skills: [invoices] }), { tools: { number } });
  const agent = new ToolLoopAgent({ model, stopWhen: isStepCount(5), ...skills.agentSettings({ instructions: 'You do the books.' }) });
  const { text } = await agent.generate({ prompt: 'An invoice, please.' });
  return { text, numbered };
}
