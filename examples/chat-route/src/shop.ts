import { createSkillset, defineSkill, type Skillset } from '@repertoire/skills-core';
import { tool, type ToolSet } from 'ai';
import { z } from 'zod';

const refunds = defineSkill({
  name: 'refunds',
  description: 'Refunds and chargebacks. Use when a customer wants money back.',
  body: 'Ask for the order id. Then call process_refund, which a person approves.',
  tools: ['process_refund'],
});

/** The gate is named, so that it is closed whatever becomes of the skill. */
export const skillset: Skillset = createSkillset({ skills: [refunds], gatedTools: ['process_refund'] });

export const instructions = 'You are a support agent.';
export const toolApproval = { process_refund: 'user-approval' } as const;

/** @param pay moves the money */
export const shopTools = (pay: (orderId: string) => Promise<string>): ToolSet => ({
  process_refund: tool({
    description: 'Pays an order back.',
    inputSchema: z.object({ orderId: z.string() }),
    execute: ({ orderId }) => pay(orderId),
  }),
});
