import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { pipeUIMessageStreamToResponse, type LanguageModel } from 'ai';
import { build } from 'esbuild';
import { answerChat, type ChatRequest } from './answer-chat.ts';
import { answerQuestion, type AnswerRequest } from './answer-question.ts';
import type { Conversations } from './open-conversation.ts';
import type { Shop } from './skills.ts';

/** A chat with nothing but `node:http`: the page, its script, and the route that answers. */
export async function chatServer(shop: Shop, model: LanguageModel): Promise<Server> {
  const conversations: Conversations = new Map();
  const page = await readFile(new URL('../page/page.html', import.meta.url));
  const script = await bundle(fileURLToPath(new URL('../page/page.tsx', import.meta.url)));

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
        return;
      case 'GET /page.js':
        response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script);
        return;
      case 'POST /api/chat': {
        const gone = new AbortController();
        response.on('close', () => gone.abort(new Error('the browser is gone')));
        const stream = await answerChat(await jsonOf<ChatRequest>(request), { shop, model, conversations, signal: gone.signal });
        await pipeUIMessageStreamToResponse({ response, stream });
        return;
      }
      case 'POST /api/answer': {
        const given = await jsonOf<AnswerRequest>(request);
        const result = await answerQuestion(given, { shop, conversations, signal: AbortSignal.timeout(60_000) });
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
        return;
      }
      case 'POST /api/partner':
        shop.partner.change();
        response.writeHead(204).end();
        return;
      default:
        response.writeHead(404).end();
    }
  }

  return createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(error instanceof Error ? error.message : String(error));
    });
  });
}

async function jsonOf<Body>(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body;
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    // In this repository the server runs from the sources of the packages, and the page with it.
    conditions: process.execArgv.includes('--conditions=@repertoire/source') ? ['@repertoire/source'] : [],
  });
  return outputFiles[0]?.text ?? '';
}
