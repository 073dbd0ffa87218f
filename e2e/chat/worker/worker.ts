import {
  skillCallOf,
  skillChat,
  sqlChatStore,
  type ChatDatabase,
  type D1,
  type DurableObjectSqlite,
  type SkillChat,
} from '@repertoire/adapter-vercel-ai/chat';
import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { jsonSchema, tool } from 'ai';

/** The parts of Cloudflare's bindings that are used. */
interface Environment {
  readonly DATABASE: D1;
  readonly CONVERSATIONS: { idFromName(name: string): unknown; get(id: unknown): { fetch(request: Request): Promise<Response> } };
}

/** A shop whose refunds wait where their order says so. The witness is a table of D1. */
function chatOver(database: ChatDatabase, environment: Environment): SkillChat {
  return skillChat({
    skillset: createSkillset({
      skills: [defineSkill({ name: 'refunds', description: 'Refunds.', body: 'Call refund.', tools: ['refund'] })],
      gates: { tools: ['refund'] },
    }),
    model: scriptedModel(({ prompt }) => {
      const at = prompt.findLastIndex(({ role }) => role === 'user');
      const since = JSON.stringify(prompt.slice(at));
      const order = /Refund ([\w-]+)/.exec(since)?.[1];
      if (order === undefined)
        return { text: JSON.stringify(prompt).includes('outcome of this call is unknown') ? 'Nobody knows.' : 'Hello.' };
      if (!JSON.stringify(prompt).includes('"load_skill"'))
        return { toolCalls: [{ toolName: 'load_skill', toolCallId: crypto.randomUUID(), input: { name: 'refunds' } }] };
      if (!since.includes('"toolName":"refund"'))
        return { toolCalls: [{ toolName: 'refund', toolCallId: crypto.randomUUID(), input: { order } }] };
      return { text: 'It is done.' };
    }),
    tools: {
      refund: tool({
        inputSchema: jsonSchema<{ order: string }>({ type: 'object', properties: { order: { type: 'string' } }, required: ['order'] }),
        execute: async ({ order }, options) => {
          await environment.DATABASE.batch([
            environment.DATABASE.prepare('INSERT INTO paid VALUES (?, ?)').bind(order, skillCallOf(options)?.id ?? ''),
          ]);
          if (order.startsWith('SLOW')) await new Promise(() => setInterval(() => undefined, 1000));
          return `Refunded ${order}.`;
        },
      }),
    },
    toolApproval: { refund: 'user-approval' },
    store: sqlChatStore(database),
    person: (request) => request.headers.get('x-signed-in'),
    leaseMs: 1000,
  });
}

/** One object for each person. */
export class Conversations {
  readonly #chat: SkillChat;

  constructor({ storage }: { readonly storage: DurableObjectSqlite }, environment: Environment) {
    this.#chat = chatOver(storage, environment);
  }

  async fetch(request: Request): Promise<Response> {
    return await this.#chat.handle(request);
  }
}

export default {
  async fetch(request: Request, environment: Environment, context: unknown): Promise<Response> {
    const { pathname } = new URL(request.url);
    const { DATABASE, CONVERSATIONS } = environment;
    const [, paid] = await DATABASE.batch([
      DATABASE.prepare('CREATE TABLE IF NOT EXISTS paid (what TEXT, call TEXT)'),
      DATABASE.prepare('SELECT what FROM paid'),
    ]);
    if (pathname === '/paid') return Response.json(paid?.results);
    if (pathname === '/d1') return await chatOver(DATABASE, environment).handle(request, environment, context);
    const person = request.headers.get('x-signed-in') ?? '';
    if (pathname === '/object') return await CONVERSATIONS.get(CONVERSATIONS.idFromName(person)).fetch(request);
    return new Response(null, { status: 404 });
  },
};
