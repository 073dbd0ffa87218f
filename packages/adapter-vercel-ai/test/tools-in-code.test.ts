import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { generateText, isStepCount, tool, type InferUITools } from 'ai';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { modelOf } from './model-of.ts';

const billing = defineSkill({
  name: 'billing',
  description: 'Refunds. Use when a customer asks about money.',
  body: 'Call process_refund.',
  tools: {
    process_refund: tool({ inputSchema: z.object({ amount: z.number() }), execute: async ({ amount }) => ({ refunded: amount }) }),
  },
});
const weather = defineSkill({
  name: 'weather',
  description: 'Weather. Use when asked about it.',
  body: 'Call forecast.',
  tools: { forecast: tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `sun in ${city}` }) },
});

describe('tools of a skill in code', () => {
  it('ADP-4: the tools of skills keep the types of their inputs and outputs in the ToolSet, and are locked until their skill is loaded', async () => {
    const skills = await aiSdkSkills(createSkillset({ skills: [billing, weather] }), { tools: { ...billing.toolSet, ...weather.toolSet } });
    type Tools = InferUITools<typeof skills.tools>;
    expectTypeOf<Tools['process_refund']>().toEqualTypeOf<{ input: { amount: number }; output: { refunded: number } }>();
    expectTypeOf<Tools['forecast']>().toEqualTypeOf<{ input: { city: string }; output: string }>();
    const { toolResults, steps } = await generateText({
      model: modelOf([
        [['process_refund', { amount: 1 }]],
        [['load_skill', { name: 'billing' }]],
        [
          ['process_refund', { amount: 2 }],
          ['forecast', { city: 'Bonn' }],
        ],
        'Done.',
      ]),
      prompt: 'Money!',
      stopWhen: isStepCount(20),
      ...skills.agentSettings(),
    });
    const refunded = toolResults.flatMap((result) =>
      !result.dynamic && result.toolName === 'process_refund' ? [result.output.refunded] : [],
    );
    expect(refunded).toEqual([2]);
    expect(steps.flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool-error' ? [part.toolName] : [])))).toEqual([
      'process_refund',
      'forecast',
    ]);
  });

  it('CON-3: is a definition like any other: names its tools, and is checked by the same rules', async () => {
    expect(billing.tools).toEqual(['process_refund']);
    const { provider } = createSkillset({ skills: [billing] });
    // What is listed is data; the tools are not among it.
    expect((await provider.listSkills()).skills[0]).not.toHaveProperty('toolSet');
    expect((await provider.listSkills()).skills).toEqual([expect.objectContaining({ name: 'billing', tools: ['process_refund'] })]);
    expect(() => defineSkill({ name: 'Not Valid', description: 'x', body: 'x', tools: {} })).toThrow(
      expect.objectContaining({ code: 'invalid-skill' }),
    );
  });
});
