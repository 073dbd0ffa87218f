import { defineSkill, type SkillDefinition } from '@repertoire/skills-core';
import { tool } from 'ai';
import { z } from 'zod';

/** A skill that opens tools and has a file, and one that has neither. */
export const skills: SkillDefinition[] = [
  defineSkill({
    name: 'billing',
    description: 'Refunds and invoices. Use when a customer asks about money.',
    body: '# Billing\n\nConfirm the order, then call process_refund. The limits are in references/policy.md.',
    tools: ['process_refund'],
    resources: { 'references/policy.md': '# Policy\n\nRefund at most 100 without a manager.' },
  }),
  defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' }),
];

/** Counts what really ran, which is what a gate is about. */
export function refundTools() {
  const ran: number[] = [];
  const process_refund = tool({
    description: 'Pays money back.',
    inputSchema: z.object({ amount: z.number() }),
    execute: async ({ amount }) => {
      ran.push(amount);
      return { refunded: amount };
    },
  });
  const lookup_order = tool({
    description: 'Finds an order.',
    inputSchema: z.object({ id: z.string() }),
    execute: async ({ id }) => `order ${id}`,
  });
  return { ran, tools: { process_refund, lookup_order } };
}
