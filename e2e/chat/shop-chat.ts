import { DatabaseSync } from 'node:sqlite';
import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { skillChat, sqlChatStore, type ChatStore, type SkillChat } from '@repertoire/adapter-vercel-ai/chat';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { tool, type UIMessage } from 'ai';
import { Client } from 'pg';
import { z } from 'zod';

/** Where a shop keeps its chats and, elsewhere and by plain statements, what it paid. */
export interface ShopPlace {
  /** A URL of PostgreSQL, or the path of a folder for files of SQLite. */
  readonly place: string;
  readonly leaseMs: number;
}

/** Passed before and after everything that a turn waits for. */
export type Pass = (what: string) => Promise<void>;

export interface Shop {
  readonly chat: SkillChat;
  readonly store: ChatStore;
  /** The witness: orders in the order in which they were paid. */
  paid(): Promise<string[]>;
  send(id: string, body: unknown): Promise<Response>;
  messages(id: string): Promise<UIMessage[]>;
  stop(id: string): Promise<void>;
  close(): Promise<void>;
}

/** A shop whose refunds need a skill and a person, and whose notes need neither. */
export async function openShop({ place, leaseMs }: ShopPlace, pass: Pass = async () => undefined): Promise<Shop> {
  const database = await openDatabase(place);
  const store = watched(sqlChatStore(database.chats), pass);
  const effect = async (what: string): Promise<string> => {
    await pass(`before ${what}`);
    await database.pay(what);
    await pass(`after ${what}`);
    return `Done: ${what}.`;
  };
  const input = z.object({ order: z.string() });
  const chat = skillChat({
    skillset: createSkillset({
      skills: [defineSkill({ name: 'refunds', description: 'Refunds.', body: 'Call refund.', tools: ['refund'] })],
      gates: { tools: ['refund'] },
    }),
    tools: {
      refund: tool({ inputSchema: input, execute: async ({ order }) => await effect(order) }),
      note: tool({ inputSchema: input, execute: async ({ order }) => await effect(order) }),
    },
    model: obedientModel(pass),
    store,
    person: async () => {
      await pass('person');
      return 'ann';
    },
    toolApproval: { refund: 'user-approval' },
    secrets: ['a secret of at least 32 characters'],
    leaseMs,
    onError: () => undefined,
  });
  const url = (id: string, view?: string): string =>
    `http://shop/api/chat?${new URLSearchParams({ id, ...(view !== undefined && { view }) }).toString()}`;
  return {
    chat,
    store,
    paid: () => database.paid(),
    send: (id, body) => chat.POST(new Request(url(id), { method: 'POST', body: JSON.stringify(body) })),
    messages: async (id) => ((await (await chat.GET(new Request(url(id)))).json()) as { messages: UIMessage[] }).messages,
    stop: async (id) => void (await chat.DELETE(new Request(url(id, 'stream'), { method: 'DELETE' }))),
    close: () => database.close(),
  };
}

interface Database {
  readonly chats: Parameters<typeof sqlChatStore>[0];
  pay(what: string): Promise<void>;
  paid(): Promise<string[]>;
  close(): Promise<void>;
}

async function openDatabase(place: string): Promise<Database> {
  if (!place.startsWith('postgres')) {
    const chats = new DatabaseSync(`${place}/chats.sqlite`);
    const witness = new DatabaseSync(`${place}/shop.sqlite`);
    witness.exec(
      'PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS paid (at INTEGER PRIMARY KEY, what TEXT)',
    );
    return {
      chats,
      pay: async (what) => void witness.prepare('INSERT INTO paid (what) VALUES (?)').run(what),
      paid: async () =>
        witness
          .prepare('SELECT what FROM paid ORDER BY at')
          .all()
          .map(({ what }) => String(what)),
      close: async () => (witness.close(), chats.close()),
    };
  }
  const [chats, witness] = [new Client(place), new Client(place)];
  await Promise.all([chats.connect(), witness.connect()]);
  await witness.query('CREATE TABLE IF NOT EXISTS paid (at BIGSERIAL PRIMARY KEY, what TEXT)').catch(() => undefined);
  return {
    chats,
    pay: async (what) => void (await witness.query('INSERT INTO paid (what) VALUES ($1)', [what])),
    paid: async () => (await witness.query('SELECT what FROM paid ORDER BY at')).rows.map(({ what }: { what: string }) => what),
    close: async () => void (await Promise.all([chats.end(), witness.end()])),
  };
}

/** Each operation of the store is passed twice: before it, and when it is done and nobody has heard of it. */
function watched(store: ChatStore, pass: Pass): ChatStore {
  const names = ['take', 'read', 'write', 'beat', 'chunks', 'stop', 'end', 'list', 'remove'] as const;
  const methods = names.map((name) => {
    const method = store[name].bind(store) as (...given: unknown[]) => Promise<unknown>;
    return [
      name,
      async (...given: unknown[]) => {
        // Beats come by the clock, so they are no points of a turn.
        if (name !== 'beat') await pass(`before ${name}`);
        const result = await method(...given);
        if (name !== 'beat') await pass(`after ${name}`);
        return result;
      },
    ] as const;
  });
  return Object.fromEntries(methods) as unknown as ChatStore;
}

let calls = 0;

/** Does what the person said last: a line is a step, ` ;; ` parts its calls. */
function obedientModel(pass: Pass): ReturnType<typeof scriptedModel> {
  const model = scriptedModel(({ prompt }) => {
    const last = prompt.findLastIndex(({ role }) => role === 'user');
    const message = prompt[last];
    const said = message?.role === 'user' ? message.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : '';
    const lines = said.split(/\n| \| /).filter((line) => /^[a-z_]+ \{/.test(line));
    const done = prompt
      .slice(last + 1)
      .filter(({ role, content }) => role === 'assistant' && JSON.stringify(content).includes('"tool-call"'));
    const line = lines[done.length];
    if (line === undefined) return { text: 'It is done, as far as I know.' };
    return {
      toolCalls: line.split(' ;; ').map((call) => {
        const [, toolName = '', given = '{}'] = /^([a-z_]+) (\{.*\})$/.exec(call) ?? [];
        return {
          toolName,
          toolCallId: `call-${process.pid}-${Date.now()}-${++calls}`,
          input: JSON.parse(given) as Record<string, unknown>,
        };
      }),
    };
  });
  return {
    ...model,
    async doStream(options) {
      await pass('before the model');
      const { stream, ...rest } = await model.doStream(options);
      return {
        ...rest,
        stream: stream.pipeThrough(
          new TransformStream({
            async transform(chunk, controller) {
              await pass(`chunk ${chunk.type}`);
              controller.enqueue(chunk);
            },
          }),
        ),
      };
    },
  };
}

export const said = (text: string, id: string): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] });

/** An answer to the calls of a message that wait. */
export const answered = (message: UIMessage, approved: boolean, which: (order: string) => boolean = () => true): UIMessage => ({
  ...message,
  parts: message.parts.map((part) =>
    'toolCallId' in part && part.state === 'approval-requested' && which((part.input as { order: string }).order)
      ? ({ ...part, state: 'approval-responded', approval: { ...part.approval, approved } } as unknown as typeof part)
      : part,
  ),
});
