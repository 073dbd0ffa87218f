import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSkillset, defineSkill, type Skillset } from '@repertoire/skills-core';
import { scriptedModel, type ScriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import {
  parseJsonEventStream,
  readUIMessageStream,
  tool,
  uiMessageChunkSchema,
  type ToolSet,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { skillCallOf, skillChat, sqlChatStore, type ChatStore, type SkillChat, type SkillChatOptions } from '../../src/chat.ts';

export const load = 'load_skill {"name":"refunds"}';
export const refund = (order: string): string => `refund {"order":"${order}"}`;

const shopSkills: Skillset = createSkillset({
  skills: [
    defineSkill({
      name: 'refunds',
      description: 'Refunds. Use when a customer wants money back.',
      body: 'Ask for the order. Call refund.',
      tools: ['refund'],
    }),
    defineSkill({ name: 'haiku', description: 'Writes haiku.', body: 'Five, seven, five.' }),
  ],
  gates: { tools: ['refund'] },
});

let calls = 0;

/** Does what the last message of the person says: each line `tool {json}` is a step, and calls of one step are parted by ` ;; `. */
export function obedientModel(): ScriptedModel {
  return scriptedModel(({ prompt }) => {
    const last = prompt.findLastIndex(({ role }) => role === 'user');
    const message = prompt[last];
    const said = message?.role === 'user' ? message.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : '';
    const lines = said.split('\n').filter((line) => /^[a-z_]+ \{/.test(line));
    const done = prompt
      .slice(last + 1)
      .filter(({ role, content }) => role === 'assistant' && JSON.stringify(content).includes('"tool-call"'));
    const line = lines[done.length];
    if (line === undefined) return { text: 'It is done, as far as I know.' };
    return {
      toolCalls: line.split(' ;; ').map((call) => {
        const [, toolName = '', input = '{}'] = /^([a-z_]+) (\{.*\})$/.exec(call) ?? [];
        return { toolName, toolCallId: `call-${process.pid}-${++calls}`, input: JSON.parse(input) as Record<string, unknown> };
      }),
    };
  });
}

/** What a started chat is told. */
export interface StartOptions extends Partial<SkillChatOptions> {
  /** What a refund waits for. */
  readonly bank?: (order: string, signal: AbortSignal | undefined) => Promise<void>;
}

/** A shop with a database file. `start` opens a chat over it, as another process would. */
export interface ChatWorld {
  /** What was paid, by who called: each row was written by a plain INSERT. */
  paid(): { readonly order: string; readonly call: string }[];
  start(options?: StartOptions): StartedChat;
  readonly file: string;
}

export interface StartedChat {
  readonly chat: SkillChat;
  readonly store: ChatStore;
  readonly model: ScriptedModel;
  send(body: unknown, to?: { readonly chat?: string; readonly person?: string }): Promise<Response>;
  /** Sends a message and reads the whole answer. */
  say(message: unknown, to?: { readonly chat?: string; readonly person?: string }): Promise<UIMessage>;
  get(view?: 'stream', to?: { readonly chat?: string; readonly person?: string }): Promise<Response>;
  stop(): Promise<void>;
  messages(to?: { readonly chat?: string; readonly person?: string }): Promise<UIMessage[]>;
}

export const api = 'https://shop.example/api/chat';

export async function chatWorld(): Promise<ChatWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'chat-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'chat.sqlite');
  const witness = new DatabaseSync(join(folder, 'shop.sqlite'));
  witness.exec('CREATE TABLE paid (order_id TEXT, call TEXT)');
  onTestFinished(() => witness.close());
  return {
    file,
    paid: () => witness.prepare('SELECT order_id AS "order", call FROM paid').all() as { order: string; call: string }[],
    start: ({ bank, ...options } = {}) =>
      startChat({
        ...options,
        store: options.store ?? sqlChatStore(file),
        tools: {
          refund: tool({
            description: 'Pays an order back.',
            inputSchema: z.object({ order: z.string() }),
            execute: async ({ order }, call) => {
              witness.prepare('INSERT INTO paid VALUES (?, ?)').run(order, skillCallOf(call)?.id ?? '');
              await bank?.(order, call.abortSignal);
              return `Refunded ${order}.`;
            },
          }),
          ...options.tools,
        },
      }),
  };
}

function startChat(options: Partial<SkillChatOptions> & { readonly tools: ToolSet; readonly store: ChatStore }): StartedChat {
  const model = obedientModel();
  const chat = skillChat({
    skillset: shopSkills,
    model,
    person: (request) => request.headers.get('x-person'),
    instructions: 'You are a support agent.',
    toolApproval: { refund: 'user-approval' },
    leaseMs: 400,
    onError: () => undefined,
    ...options,
  });
  const urlOf = (id: string, view?: string) => `${api}?${new URLSearchParams({ id, ...(view !== undefined && { view }) }).toString()}`;
  const started: StartedChat = {
    chat,
    store: options.store,
    model,
    send: (body, { chat: id = 'one', person = 'ann' } = {}) =>
      chat.POST(
        new Request(urlOf(id), {
          method: 'POST',
          headers: { 'x-person': person, 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    say: async (message, to) => await messageOf(await started.send({ message }, to)),
    get: (view, { chat: id = 'one', person = 'ann' } = {}) => chat.GET(new Request(urlOf(id, view), { headers: { 'x-person': person } })),
    stop: async () => void (await chat.DELETE(new Request(urlOf('one', 'stream'), { method: 'DELETE', headers: { 'x-person': 'ann' } }))),
    messages: async (to) => {
      const response = await started.get(undefined, to);
      return response.status === 404 ? [] : ((await response.json()) as { messages: UIMessage[] }).messages;
    },
  };
  return started;
}

export async function messageOf(response: Response): Promise<UIMessage> {
  // All of it is read before, since an answer that goes on with a message is no message alone.
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  const chunks = parseJsonEventStream({ stream: new Blob([text]).stream(), schema: uiMessageChunkSchema }).pipeThrough(
    new TransformStream<{ success: boolean; value?: unknown }, UIMessageChunk>({
      transform: (chunk, controller) => controller.enqueue(chunk.value as UIMessageChunk),
    }),
  );
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream: chunks })) last = message;
  return last ?? { id: '', role: 'assistant', parts: [] };
}

let said = 0;
export const say = (text: string, id = `said-${++said}`): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] });

/** The calls of a message with their states: `refund:output-available`. */
export const callsOf = (message: UIMessage | undefined): string[] =>
  (message?.parts ?? []).flatMap((part) =>
    'toolCallId' in part ? [`${part.type === 'dynamic-tool' ? part.toolName : part.type.slice(5)}:${part.state}`] : [],
  );

/** The message with an answer to the calls that wait, or to some of them. */
export const answered = (message: UIMessage, approved = true, which: (input: unknown) => boolean = () => true): UIMessage => ({
  ...message,
  parts: message.parts.map((part) =>
    'toolCallId' in part && part.state === 'approval-requested' && which(part.input)
      ? ({ ...part, state: 'approval-responded', approval: { ...part.approval, approved } } as unknown as typeof part)
      : part,
  ),
});
