import { composeProviders, createSkillset, defineSkill, skillApprovals, SkillRegistry, type Skillset } from '@repertoire/skills-core';
import { tool, type Tool } from 'ai';
import { z } from 'zod';
import { openPartner, type Partner } from './partner.ts';

/** Tools of the shop's skills. */
export type ShopTools = { process_refund: Tool<{ order: string; amount: number }, { refunded: number; order: string }> };

/** The skills of a shop, and a record of the payments that were really made. */
export interface Shop {
  readonly skillset: Skillset;
  readonly tools: ShopTools;
  /** A source of somebody else, whose skills a person must approve. */
  readonly partner: Partner;
  readonly refunds: readonly { readonly order: string; readonly amount: number }[];
}

export function openShop(): Shop {
  const refunds: { order: string; amount: number }[] = [];
  const billing = defineSkill({
    name: 'billing',
    description: 'Refunds and invoices. Use when a customer asks about money.',
    argumentHint: '[order] [amount]',
    body: '# Billing\n\nRead references/policy.md, then call process_refund with the order and the amount.',
    resources: { 'references/policy.md': '# Policy\n\nAt most 100 without a manager.' },
    tools: {
      process_refund: tool({
        description: 'Pays money back.',
        inputSchema: z.object({ order: z.string(), amount: z.number() }),
        execute: async ({ order, amount }) => {
          refunds.push({ order, amount });
          return { refunded: amount, order };
        },
      }),
    },
  });
  const haiku = defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' });
  const partner = openPartner();
  const skillset = createSkillset({
    provider: composeProviders([new SkillRegistry({ skills: [billing, haiku] }), partner.provider]),
    // Nobody is asked about the shop's own skills, which are trusted.
    approvals: skillApprovals(),
  });
  return { skillset, tools: billing.toolSet, partner, refunds };
}
