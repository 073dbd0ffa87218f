import { serve } from '@hono/node-server';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { chatApp } from './hono-app.ts';
import { chatRoute } from './chat-route.ts';
import { instructions, shopTools, skillset, toolApproval } from './shop.ts';
import { sqliteStore } from './sqlite-store.ts';

const route = chatRoute({
  skillset,
  tools: shopTools(async (orderId) => `Refunded ${orderId}.`),
  model: scriptedModel([{ toolCalls: [{ toolName: 'load_skill', input: { name: 'refunds' } }] }, { text: 'Which order?' }]),
  store: sqliteStore('chat.sqlite'),
  instructions,
  toolApproval,
  approvalSecret: process.env['APPROVAL_SECRET'] ?? crypto.randomUUID() + crypto.randomUUID(),
});
// In your application: the session of your sign-in.
serve({ fetch: chatApp(route, async () => 'me').fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' }, ({ port }) =>
  process.stdout.write(`POST a message to http://127.0.0.1:${port}/api/chat/one\n`),
);
