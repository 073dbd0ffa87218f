import { tool } from '@langchain/core/tools';
import { createSkillset, defineSkill, type Skillset } from '@repertoire/skills-core';
import * as z from 'zod';

/** What the shop knows how to do. A skill names its tools; the shop supplies them. */
export const skillset: Skillset = createSkillset({
  skills: [
    defineSkill({
      name: 'refunds',
      description: 'Pays money back for an order. Use when a customer wants a refund.',
      body: '# Refunds\n\n1. Read references/limits.md.\n2. Call pay_back with the order and the amount.',
      tools: ['pay_back'],
      resources: { 'references/limits.md': '# Limits\n\nUp to 100 without a manager.' },
    }),
    defineSkill({
      name: 'shipping',
      description: 'Finds parcels. Use when a customer asks where something is.',
      body: '# Shipping\n\nCall track_parcel with the order.',
      tools: ['track_parcel'],
    }),
    defineSkill({ name: 'apologies', description: 'Words an apology. Use when something went wrong.', body: 'One sentence, no excuses.' }),
  ],
});

/** The shop's tools, with a list of what they did. */
export function shopTools() {
  const done: string[] = [];
  const pay_back = tool(
    async ({ order, amount }) => {
      done.push(`paid ${amount} back for ${order}`);
      return `${amount} is on its way.`;
    },
    { name: 'pay_back', description: 'Pays money back.', schema: z.object({ order: z.string(), amount: z.number() }) },
  );
  const track_parcel = tool(
    async ({ order }) => {
      done.push(`tracked ${order}`);
      return `The parcel of ${order} is in Bergen.`;
    },
    { name: 'track_parcel', description: 'Finds the parcel of an order.', schema: z.object({ order: z.string() }) },
  );
  return { done, tools: [pay_back, track_parcel] };
}
