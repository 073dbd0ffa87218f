/** An agent of the AI SDK that loads a skill and then calls the tool which the skill unlocks. */
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';

const refunds = defineSkill({
  name: 'refunds',
  description: 'Refunds orders. Use when a customer wants money back.',
  body: 'Confirm the order, then call process_refund.',
  tools: ['process_refund'],
});

const processRefund = tool({
  description: 'Refunds an order.',
  inputSchema: jsonSchema<{ order: string }>({ type: 'object', properties: { order: { type: 'string' } }, required: ['order'] }),
  execute: ({ order }) => `refunded ${order}`,
});

const worker = {
  async fetch(): Promise<Response> {
    const skills = await aiSdkSkills(createSkillset({ skills: [refunds] }), { tools: { process_refund: processRefund } });
    const model = scriptedModel([
      { toolCalls: [{ toolName: 'process_refund', input: { order: 'A1' } }] },
      { toolCalls: [{ toolName: 'load_skill', input: { name: 'refunds' } }] },
      { toolCalls: [{ toolName: 'process_refund', input: { order: 'A1' } }] },
      { text: 'Done.' },
    ]);
    const result = await generateText({
      model,
      prompt: 'I want my money back.',
      stopWhen: isStepCount(5),
      ...skills.agentSettings({ instructions: 'You are a support agent.' }),
    });
    return Response.json({
      text: result.text,
      outputs: result.steps.flatMap((step) =>
        step.content.flatMap((part) =>
          part.type === 'tool-result' ? [String(part.output)] : part.type === 'tool-error' ? [String(part.error)] : [],
        ),
      ),
    });
  },
};
export default worker;
