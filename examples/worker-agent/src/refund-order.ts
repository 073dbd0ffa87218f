import { tool } from 'ai';
import { env } from 'cloudflare:workers';
import * as z from 'zod';

/**
 * The skill `refunds` names this tool and so opens it. Rules that must always hold are checked
 * here, not in the text of a skill.
 */
export const refund_order = tool({
  description: 'Pays an order back, each order once.',
  inputSchema: z.object({ order: z.string().regex(/^[A-Z]-\d+$/), amount: z.number().positive().max(100) }),
  async execute({ order, amount }) {
    const written = await env.DESK.put(`refunds/${order}`, JSON.stringify({ amount }), { onlyIf: { etagDoesNotMatch: '*' } });
    return written === null ? `Order ${order} was paid back before.` : `Paid back ${amount} for order ${order}.`;
  },
});
