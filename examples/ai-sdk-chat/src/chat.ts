import { skillCallOf, skillChat, type SkillChat, type SkillChatOptions } from '@repertoire/adapter-vercel-ai/chat';
import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { tool } from 'ai';
import { z } from 'zod';

const refunds = defineSkill({
  name: 'refunds',
  description: 'Refunds. Use when a customer wants money back.',
  body: 'Ask for the order and the amount. Then call refund, which a person approves.',
  tools: ['refund'],
});

const refund = tool({
  description: 'Pays money back.',
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  // A bank that knows the key pays once, however often it is asked.
  execute: async ({ order, amount }, options) => ({ order, amount, idempotencyKey: skillCallOf(options)?.id }),
});

/** Conversations are kept in `chat.sqlite`. In your application, `person` reads the session of your sign-in. */
export const openChat = (model: SkillChatOptions['model']): SkillChat =>
  skillChat({
    skillset: createSkillset({ skills: [refunds], gates: { tools: ['refund'] } }),
    model,
    tools: { refund },
    toolApproval: { refund: 'user-approval' },
    person: () => 'me',
  });
