import { tool } from '@langchain/core/tools';
import { defineSkill, type SkillDefinition } from '@repertoire/skills-core';
import { z } from 'zod';

/** A skill that opens tools and has a file, one that opens another, and one that has nothing. */
export const skills: SkillDefinition[] = [
  defineSkill({
    name: 'billing',
    description: 'Refunds and invoices. Use when a customer asks about money.',
    body: '# Billing\n\nConfirm the order, then call process_refund. The limits are in references/policy.md.',
    tools: ['process_refund'],
    resources: { 'references/policy.md': '# Policy\n\nRefund at most 100 without a manager.' },
  }),
  defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' }),
  defineSkill({
    name: 'orders',
    description: 'Finds orders. Use when an order is asked for.',
    body: '# Orders\n\nCall lookup_order with its id.',
    tools: ['lookup_order'],
  }),
];

/** Counts what really ran, which is what a gate is about. */
export function hostTools() {
  const ran: string[] = [];
  const process_refund = tool(
    async ({ amount }) => {
      if (amount < 0) throw new Error('There is no negative refund.');
      ran.push(`refund ${amount}`);
      return `refunded ${amount}`;
    },
    { name: 'process_refund', description: 'Pays money back.', schema: z.object({ amount: z.number() }) },
  );
  const lookup_order = tool(
    async ({ id }) => {
      ran.push(`order ${id}`);
      return `order ${id}`;
    },
    { name: 'lookup_order', description: 'Finds an order.', schema: z.object({ id: z.string() }) },
  );
  const search_docs = tool(
    async ({ query }) => {
      ran.push(`search ${query}`);
      return `found ${query}`;
    },
    { name: 'search_docs', description: 'Searches.', schema: z.object({ query: z.string() }) },
  );
  return { ran, process_refund, lookup_order, search_docs, tools: [process_refund, lookup_order] };
}
