// Next.js: the file app/api/chat/[chat]/route.ts. `GET` of app/api/chat/[chat]/stream/route.ts is exported from here as well.
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { chatApp } from './hono-app.ts';
import { chatRoute } from './chat-route.ts';
import { instructions, shopTools, skillset, toolApproval } from './shop.ts';
import { sqliteStore } from './sqlite-store.ts';

// In your application: model: 'anthropic/claude-sonnet-5.5', and the session of your sign-in.
const model = scriptedModel(() => ({ text: 'Hello.' }));
const personOf = async (request: Request): Promise<string | null> => request.headers.get('x-signed-in') || null;

// Made at the first request, because Next.js imports routes while it builds.
let app: ReturnType<typeof chatApp> | undefined;
const handle = async (request: Request): Promise<Response> => {
  app ??= chatApp(
    chatRoute({
      skillset,
      tools: shopTools(async (orderId) => `Refunded ${orderId}.`),
      model,
      store: sqliteStore(process.env['CHAT_DATABASE'] ?? 'chat.sqlite'),
      instructions,
      toolApproval,
      approvalSecret: process.env['APPROVAL_SECRET'] ?? '',
    }),
    personOf,
  );
  return app.fetch(request);
};

export { handle as DELETE, handle as GET, handle as POST };
