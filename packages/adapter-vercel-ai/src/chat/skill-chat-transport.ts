import type { SkillAnswer, SkillQuestion } from '@repertoire/skills-core';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, type ChatTransport, type UIMessage } from 'ai';

/** Options of {@link skillChatTransport}. */
export interface SkillChatTransportOptions {
  /** Where `skillChat` is mounted. @default '/api/chat' */
  readonly api?: string | undefined;
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Headers of each request. @default none: a cookie says who is signed in */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * How long a request waits while another answer of the conversation is being written, in
   * milliseconds. @default 30,000
   */
  readonly waitMs?: number | undefined;
}

/** What a person says on the card of a question. */
export interface ChatAnswer extends SkillAnswer {
  /** Id of the question that was shown. */
  readonly question: string;
  /** Id of the call that waits. */
  readonly call: string;
}

/** What became of an answer. */
export interface ChatAnswered {
  /** Whether the call may be made now. */
  readonly runs: boolean;
  /** The question as it is by now, if it is another one: nothing was answered. */
  readonly again?: SkillQuestion | undefined;
}

/**
 * What `useChat` takes: the page resumes after a reload, and goes on when all questions are
 * answered.
 */
export interface OpenedChat<MESSAGE extends UIMessage = UIMessage> {
  readonly id: string;
  readonly messages: MESSAGE[];
  readonly transport: SkillChatTransport<MESSAGE>;
  readonly resume: true;
  readonly sendAutomaticallyWhen: (options: { messages: UIMessage[] }) => boolean;
}

/** A transport for `useChat`, and what a page asks besides. */
export interface SkillChatTransport<MESSAGE extends UIMessage = UIMessage> extends ChatTransport<MESSAGE> {
  /**
   * A conversation for `useChat`, with the messages that it has; none if it is new. @throws {Error}
   * if the server does not answer it
   */
  open(chat: string): Promise<OpenedChat<MESSAGE>>;
  /**
   * The conversations of the person, the newest first. @throws {Error} if the server does not
   * answer it
   */
  conversations(): Promise<readonly { readonly id: string; readonly title: string; readonly updatedAt: number }[]>;
  /**
   * Answers a question about a skill. The call is made when it is approved after that, by
   * `addToolApprovalResponse`. @throws {Error} if the server does not take it
   */
  answer(chat: string, answer: ChatAnswer): Promise<ChatAnswered>;
  /** Deletes a conversation. @throws {Error} if the server does not answer it */
  remove(chat: string): Promise<void>;
}

/**
 * Connects `useChat` with `skillChat`: it sends the last message only, resumes after a reload,
 * stops the answer on the server when a person presses stop, and waits while another tab or a lost
 * process has the conversation.
 *
 * @example
 * ```ts
 * import { skillChatTransport, type SkillChatTransport } from '@repertoire/adapter-vercel-ai/chat/client';
 *
 * export const transport: SkillChatTransport = skillChatTransport({ api: '/api/chat' });
 * // const chat = useChat(await transport.open(id));
 * ```
 */
export function skillChatTransport<MESSAGE extends UIMessage = UIMessage>({
  api = '/api/chat',
  fetch: given,
  headers = {},
  waitMs = 30_000,
}: SkillChatTransportOptions = {}): SkillChatTransport<MESSAGE> {
  const send: typeof globalThis.fetch = (url, init) => (given ?? globalThis.fetch)(url, init);
  const urlOf = (query: Readonly<Record<string, string>>): string =>
    `${api}${api.includes('?') ? '&' : '?'}${new URLSearchParams(query).toString()}`;
  const stop = (chat: string): void => {
    // It reaches the server also when the page is left right after.
    void send(urlOf({ id: chat, view: 'stream' }), { method: 'DELETE', headers, keepalive: true }).catch(() => undefined);
  };
  /**
   * The newest request for the stream of a conversation: one that follows another one ends it, and
   * stops nothing.
   */
  const resumed = new Map<string, object>();
  const json = async (query: Readonly<Record<string, string>>, method = 'GET', body?: object): Promise<unknown> => {
    const response = await patiently(
      () =>
        send(Object.keys(query).length === 0 ? api : urlOf(query), {
          method,
          headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      waitMs,
      undefined,
    );
    if (response.status === 404 || response.status === 204) return undefined;
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return await response.json();
  };
  const inner = new DefaultChatTransport<MESSAGE>({
    api,
    headers,
    fetch: (url, init) => patiently(() => send(url, init), waitMs, init?.signal),
    prepareSendMessagesRequest: ({ id, messages, trigger, messageId, body }) => ({
      body: { ...body, id, trigger, message: lastOf(messages, trigger === 'submit-message' ? messageId : undefined) },
    }),
    prepareReconnectToStreamRequest: ({ id }) => ({ api: urlOf({ id, view: 'stream' }) }),
  });
  const transport: SkillChatTransport<MESSAGE> = {
    // The server sends all of the message again.
    resumeStreamIsReplay: true,
    async sendMessages(options) {
      options.abortSignal?.addEventListener('abort', () => stop(options.chatId), { once: true });
      return await inner.sendMessages(options);
    },
    async reconnectToStream(options) {
      const request = {};
      resumed.set(options.chatId, request);
      const stream = await inner.reconnectToStream(options);
      // There is nothing to stop before.
      options.abortSignal?.addEventListener(
        'abort',
        () => queueMicrotask(() => resumed.get(options.chatId) === request && stop(options.chatId)),
        {
          once: true,
        },
      );
      return stream;
    },
    open: async (id) => ({
      id,
      messages: ((await json({ id })) as { readonly messages: MESSAGE[] } | undefined)?.messages ?? [],
      transport,
      resume: true,
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    }),
    conversations: async () => ((await json({})) as { conversations: { id: string; title: string; updatedAt: number }[] }).conversations,
    answer: async (chat, answer) => (await json({ id: chat }, 'POST', { answer })) as ChatAnswered,
    remove: async (chat) => void (await json({ id: chat }, 'DELETE')),
  };
  return transport;
}

/** What a person said last, or the message with the answers to calls that wait. */
function lastOf(messages: readonly UIMessage[], id: string | undefined): unknown {
  const message = messages.find((each) => each.id === id) ?? messages.at(-1);
  if (message?.role !== 'assistant') return message;
  const parts = message.parts.flatMap((part) =>
    'toolCallId' in part && part.state === 'approval-responded' ? [{ state: part.state, approval: part.approval }] : [],
  );
  return { id: message.id, role: message.role, parts };
}

/** Asks again while the server says that another answer is being written. */
async function patiently(ask: () => Promise<Response>, waitMs: number, signal: AbortSignal | null | undefined): Promise<Response> {
  const until = Date.now() + waitMs;
  while (true) {
    const response = await ask();
    const after = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (response.status !== 409 || !(after >= 0) || Date.now() + after * 1000 > until) return response;
    await response.body?.cancel();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, after * 1000);
      signal?.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason as Error)), { once: true });
    });
  }
}

/** Options of {@link skillInboxClient}. */
export interface SkillInboxClientOptions {
  /** Where `skillChat` is mounted. @default '/api/chat' */
  readonly api?: string | undefined;
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * The questions that wait for staff. Each rejects if the server does not answer, or if whoever asks
 * may not.
 */
export interface SkillInboxClient {
  /** The oldest first. Long lists and texts are cut. */
  questions(): Promise<readonly { readonly question: SkillQuestion; readonly conversation: string | null; readonly at: string }[]>;
  /** A question as it was asked, whole; `undefined` if it does not wait any more. */
  question(id: string): Promise<SkillQuestion | undefined>;
  /** Whether it was a yes to a question that waited. */
  answer(id: string, answer: SkillAnswer): Promise<boolean>;
}

/**
 * The inbox of a chat, for a page of the host's own people.
 *
 * @example
 * ```ts
 * import { skillInboxClient, type SkillInboxClient } from '@repertoire/adapter-vercel-ai/chat/client';
 *
 * export const inbox: SkillInboxClient = skillInboxClient({ api: '/api/chat' });
 * ```
 */
export function skillInboxClient({ api = '/api/chat', fetch: given }: SkillInboxClientOptions = {}): SkillInboxClient {
  const ask = async (query: string, body?: object): Promise<unknown> => {
    const url = `${api}${api.includes('?') ? '&' : '?'}view=inbox${query}`;
    const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await (given ?? globalThis.fetch)(url, init);
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return await response.json();
  };
  return {
    questions: async () =>
      ((await ask('')) as { questions: Awaited<ReturnType<SkillInboxClient['questions']>> } | undefined)?.questions ?? [],
    question: async (id) => (await ask(`&question=${encodeURIComponent(id)}`)) as SkillQuestion | undefined,
    answer: async (id, answer) => ((await ask('', { question: id, ...answer })) as { runs: boolean } | undefined)?.runs === true,
  };
}

/** What the result of such a call begins with; the words are those of the core. */
const unknownStart = 'The outcome of this call is unknown.';

/**
 * Whether a part of a message is a call that began and of which nobody knows how it ended: the
 * process that ran it was stopped or lost.
 */
export function isUnknownCall(part: UIMessage['parts'][number]): boolean {
  return 'toolCallId' in part && part.state === 'output-error' && part.errorText.startsWith(unknownStart);
}
