import { serve } from '@hono/node-server';
import { openChat } from './chat.ts';
import { chatServer } from './chat-server.ts';
import { standInModel } from './stand-in-model.ts';

const model =
  process.env['AI_GATEWAY_API_KEY'] === undefined ? standInModel() : (process.env['REPERTOIRE_MODEL'] ?? 'anthropic/claude-sonnet-5.5');
const { fetch } = await chatServer(openChat(model));
serve({ fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' }, ({ port }) =>
  process.stdout.write(`A chat with skills: http://127.0.0.1:${port}\n`),
);
