import { SkillError, type Skillset } from '@repertoire/skills-core';
import { assertKnownOptions, messageOf, type OptionRules } from '@repertoire/skills-core/internal';
import {
  createUIMessageStreamResponse,
  generateId,
  type LanguageModel,
  type streamText,
  type ToolSet,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import type { AiSdkOwnApproval, AiSdkSkillsOptions } from '../ai-sdk-skills-options.ts';
import { answerChat } from './answer-chat.ts';
import { answerInbox, type SkillChatStaff } from './answer-inbox.ts';
import { answerQuestion } from './answer-question.ts';
import { ApprovalSignatures } from './approval-signatures.ts';
import type { ChatKey, ChatSnapshot, ChatStore, ChatSummary } from './chat-store.ts';
import { ChatWriter } from './chat-writer.ts';
import { decideTurn } from './decide-turn.ts';
import { LiveAnswer } from './live-answer.ts';
import { messageChunks } from './message-chunks.ts';
import { chatIdOf, readRequest, refused, type ChatRequest, type Refusal, type AllLimits, type SkillChatLimits } from './read-request.ts';
import { settleMessages } from './settle-messages.ts';
import { sqlChatStore } from './sql-chat-store.ts';
import { storedAnswer } from './stored-answer.ts';

/** Options of {@link skillChat}. */
export interface SkillChatOptions<Context = undefined> {
  readonly skillset: Skillset<Context>;
  /** The model, or who chooses it for a request. */
  readonly model: LanguageModel | ((request: Request, person: string) => LanguageModel | Promise<LanguageModel>);
  /**
   * Tools of the host. Before one runs, its call is written down; see {@link skillCallOf}. @default
   * none
   */
  readonly tools?: ToolSet | undefined;
  /** Where conversations are kept. @default the file `chat.sqlite` in the working directory */
  readonly store?: ChatStore | undefined;
  /**
   * Who is signed in, by the request's cookie or header, never by its body; nothing if nobody is.
   * Conversations belong to this name.
   */
  readonly person: (request: Request) => string | null | undefined | Promise<string | null | undefined>;
  /** The context of the skillset for a request. Needed if the skillset has one. @default none */
  readonly context?: ((request: Request, person: string) => Context | Promise<Context>) | undefined;
  /**
   * Who answers the questions that `askWhom` of the approvals gives to staff. @default nobody, here
   */
  readonly staff?: SkillChatStaff<Context> | undefined;
  /** The system prompt before the catalog. @default none */
  readonly instructions?: string | undefined;
  /**
   * Which calls a person must approve, besides those that skills and tools ask about. @default none
   */
  readonly toolApproval?: AiSdkOwnApproval | undefined;
  /**
   * At least 32 random characters each. The first signs what a person is asked, and the others are
   * still believed, so that secrets can be changed. They matter where others can write to the
   * database: what a browser sends is never taken for a question.
   * @default nothing is signed
   */
  readonly secrets?: readonly string[] | undefined;
  /** @default see each limit */
  readonly limits?: SkillChatLimits | undefined;
  /** How long a conversation waits for a process that was lost, in milliseconds. @default 10,000 */
  readonly leaseMs?: number | undefined;
  /** Other options of `aiSdkSkills`: models, forks, sources of tools. @default none */
  readonly skills?:
    | Pick<AiSdkSkillsOptions, 'models' | 'fork' | 'toolSources' | 'restore' | 'withdraw' | 'gate' | 'onDiagnostic'>
    | undefined;
  /**
   * Other options of `streamText`: the temperature, `stopWhen`, options of the provider. @default
   * at most 20 steps
   */
  readonly settings?: Pick<Parameters<typeof streamText>[0], ChatSetting> | undefined;
  /**
   * Is told what failed in a turn: a model, a tool, the store. The page reads `It failed.` @default
   * a diagnostic of the skillset, `chat-failed`
   */
  readonly onError?: ((error: unknown, conversation: ChatKey) => void) | undefined;
}

/** Options of `streamText` that a chat leaves to the host. */
type ChatSetting =
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'seed'
  | 'stopSequences'
  | 'maxRetries'
  | 'headers'
  | 'providerOptions'
  | 'stopWhen'
  | 'timeout';

/** A conversation as a page shows it. */
export interface ChatHistory {
  readonly id: string;
  readonly title: string;
  readonly messages: readonly UIMessage[];
  /** Whether an answer is being written, which `useChat` resumes. */
  readonly isRunning: boolean;
}

/**
 * A chat as a handler of requests. All of its functions are the same one, under the names that
 * frameworks look for.
 */
export interface SkillChat {
  readonly POST: SkillChatHandler;
  readonly GET: SkillChatHandler;
  readonly DELETE: SkillChatHandler;
  readonly handle: SkillChatHandler;
  /** A conversation for a page that is made on the server; `undefined` if there is none. */
  readonly history: (person: string, chat: string) => Promise<ChatHistory | undefined>;
}

/**
 * Takes what else a platform gives a handler; a `waitUntil` in it keeps a Worker until the answer
 * is stored.
 */
export type SkillChatHandler = (request: Request, ...platform: readonly unknown[]) => Promise<Response>;

/** The names of all models are no words of an option. */
type CheckedChatOptions = Omit<SkillChatOptions, 'model'> & { readonly model: unknown };

const knownOptions: OptionRules<CheckedChatOptions> = {
  skillset: '{}',
  model: true,
  tools: '{}',
  store: '{}',
  person: '()',
  context: '()',
  staff: { '{}': { approvals: '{}', who: '()' } },
  instructions: 'string',
  toolApproval: { '()': true, '{}': true },
  secrets: 'string[]',
  limits: { '{}': { requestBytes: 'number', parts: 'number', messages: 'number', openQuestions: 'number' } },
  leaseMs: 'number',
  skills: '{}',
  settings: '{}',
  onError: '()',
};

const defaultLimits: AllLimits = { requestBytes: 100_000, parts: 32, messages: 1000, openQuestions: 8 };

/** An answer that this process writes. */
interface Live {
  readonly answer: LiveAnswer;
  readonly writer: ChatWriter;
}

/**
 * A chat on the server: it keeps conversations, answers messages, asks a person, resumes and stops.
 * Mount it at one path; the query says the rest, and `skillChatTransport` of `./chat/client` knows
 * it.
 *
 * | request | what it does |
 * |---|---|
 * | `POST` `{ id, answer }` | what a person says on the card of a question |
 * | `POST` `{ id, message }` | a message, or the answers to calls that wait; the answer as a stream |
 * | `GET` | the conversations of the person |
 * | `GET ?id=…` | a conversation |
 * | `GET ?id=…&view=stream` | the answer that is being written, from its start; 204 if there is none |
 * | `DELETE ?id=…&view=stream` | stops the answer |
 * | `DELETE ?id=…` | deletes the conversation |
 * | `GET ?view=inbox`, `&question=…` | for staff: the questions that wait; one of them, whole |
 * | `POST ?view=inbox` `{ question, answer }` | for staff: an answer |
 *
 * The page decides what a person says and approves; everything else is the store's. A conversation
 * has one writer at a time, on however many machines. A call that began and whose process was lost
 * is not made again: the model and the page read that its outcome is unknown.
 *
 * @throws {SkillError} `invalid-options`
 * @example
 * ```ts
 * import { skillChat, type SkillChat } from '@repertoire/adapter-vercel-ai/chat';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * export const chatOf = (skillset: Skillset, sessionOf: (request: Request) => { userId: string } | null): SkillChat =>
 *   skillChat({ skillset, model: 'anthropic/claude-sonnet-5.5', person: (request) => sessionOf(request)?.userId });
 * ```
 */
export function skillChat<Context = undefined>(options: SkillChatOptions<Context>): SkillChat {
  assertKnownOptions('skillChat', options, knownOptions);
  const { secrets = [], leaseMs = 10_000, person: personOf } = options;
  if (secrets.some(({ length }) => length < 32)) throw new SkillError('invalid-options', 'Each of `secrets` needs at least 32 characters.');
  const store = options.store ?? sqlChatStore('chat.sqlite');
  const limits: AllLimits = { ...defaultLimits, ...(options.limits as AllLimits | undefined) };
  const signatures = new ApprovalSignatures(secrets);
  const onError =
    options.onError ??
    ((error: unknown): void =>
      options.skillset.report({ code: 'chat-failed', severity: 'error', message: `A turn of a chat failed: ${messageOf(error)}` }));
  const live = new Map<string, Live>();
  const nameOf = ({ person, chat }: ChatKey): string => JSON.stringify([person, chat]);

  async function send(request: Request, person: string, wait: (running: Promise<void>) => void): Promise<Response> {
    const given = await readRequest(request, limits);
    if (given.kind === 'refused') return refuse(given);
    const key: ChatKey = { person, chat: given.chat };
    const taken = await ChatWriter.take(store, key, leaseMs);
    if (taken === 'busy') return (await sameMessage(given, key)) ?? busy();
    const { writer, snapshot } = taken;
    try {
      if (given.kind === 'question') return await answerQuestion(options, { key, request, writer, snapshot }, given.given);
      const turn = await decideTurn(given, snapshot, { key, signatures, limits });
      if (turn.kind === 'refused') {
        await writer.release();
        return refuse(turn);
      }
      const { messages } = turn;
      const news = messages.filter((message) => !snapshot.messages.includes(message));
      if (turn.kind !== 'run') {
        await writer.put(news, { release: true });
        return streamOf(
          turn.kind === 'replay' ? whole(turn.message) : whole({ id: messages.at(-1)?.id ?? '', role: 'assistant', parts: [] }),
        );
      }
      await writer.put(news, { removed: turn.removed, title: snapshot.title === '' ? titleOf(messages) : undefined });
      return await run({ key, request, writer, snapshot, messages, wait });
    } catch (error) {
      onError(error, key);
      await writer.release().catch(() => undefined);
      return new Response('The chat failed.', { status: 500 });
    }
  }

  interface Run {
    readonly key: ChatKey;
    readonly request: Request;
    readonly writer: ChatWriter;
    readonly snapshot: ChatSnapshot;
    readonly messages: readonly UIMessage[];
    readonly wait: (running: Promise<void>) => void;
  }

  async function run({ key, request, writer, snapshot, messages, wait }: Run): Promise<Response> {
    const last = messages.at(-1);
    const going = last?.role === 'assistant' ? last : undefined;
    const answer = new LiveAnswer(going);
    let written: UIMessage | undefined;
    const source = await answerChat(
      { ...options, onError },
      {
        key,
        request,
        writer,
        messages,
        id: going?.id ?? generateId(),
        events: snapshot.events,
        openQuestions: limits.openQuestions,
        onMessage: (message) => void (written = message),
        onStep: async (message) => await writer.put([await signatures.sign(key, message)]),
      },
    );
    live.set(nameOf(key), { answer, writer });
    const stopKeeping = writer.keep(answer.chunks);
    // The answer is read to its end here, so a browser that goes away stops nothing and loses
    // nothing.
    const running = (async () => {
      try {
        for await (const chunk of source) answer.push(chunk);
      } catch (error) {
        if (!writer.ending.signal.aborted) onError(error, key);
      } finally {
        await stopKeeping();
        await end(
          key,
          writer,
          written === undefined || isEmpty(written) ? messages : [...messages.filter(({ id }) => id !== written?.id), written],
        );
        live.delete(nameOf(key));
        answer.end();
      }
    })();
    wait(running);
    return streamOf(answer.read(true));
  }

  /** What the turn left, with a result for each call, so that whoever comes next can go on. */
  async function end(key: ChatKey, writer: ChatWriter, messages: readonly UIMessage[]): Promise<void> {
    try {
      const settled = settleMessages({ messages, ...writer.known }, false).at(-1);
      await writer.put(settled === undefined ? [] : [await signatures.sign(key, settled)], { release: true });
    } catch (error) {
      // Another process has the conversation, or the store is gone: what is there already says what
      // happened.
      onError(error, key);
    }
  }

  /** The same message again, while its answer is being written: its reply was lost. */
  async function sameMessage(given: Exclude<ChatRequest, Refusal>, key: ChatKey): Promise<Response | undefined> {
    if (given.kind !== 'said') return undefined;
    const messages = (await store.read(key))?.messages ?? [];
    if (messages.findLast(({ role }) => role === 'user')?.id !== given.message.id) return undefined;
    const resumed = await resume(key);
    return resumed.status === 200 ? resumed : undefined;
  }

  async function resume(key: ChatKey): Promise<Response> {
    const here = live.get(nameOf(key));
    if (here !== undefined) return streamOf(here.answer.read(false));
    const snapshot = await store.read(key);
    if (snapshot?.writer === undefined) return new Response(null, { status: 204 });
    return streamOf(storedAnswer(store, key, snapshot.writer));
  }

  async function stop(key: ChatKey): Promise<Response> {
    live.get(nameOf(key))?.writer.ending.abort(new Error('The answer was stopped.'));
    await store.stop(key);
    return new Response(null, { status: 204 });
  }

  async function history(key: ChatKey): Promise<ChatHistory | undefined> {
    const snapshot = await store.read(key);
    if (snapshot === undefined) return undefined;
    const isRunning = snapshot.writer !== undefined;
    return { id: key.chat, title: snapshot.title, messages: isRunning ? snapshot.messages : settleMessages(snapshot, false), isRunning };
  }

  async function remove(key: ChatKey): Promise<Response> {
    if ((await store.read(key)) === undefined) return new Response(null, { status: 204 });
    const taken = await ChatWriter.take(store, key, leaseMs);
    if (taken === 'busy') return busy();
    await taken.writer.remove();
    return new Response(null, { status: 204 });
  }

  async function inbox(request: Request): Promise<Response> {
    if (options.staff === undefined) return refuse(refused(404, 'This chat has no inbox.'));
    const contextOf = async (by: string): Promise<Context> => (await options.context?.(request, by)) as Context;
    const found = await answerInbox(request, options.staff, contextOf, limits);
    return isRefusal(found) ? refuse(found) : Response.json(found, forOne);
  }

  async function route(request: Request, wait: (running: Promise<void>) => void): Promise<Response> {
    if (isForged(request)) return refuse(refused(403, 'A page of another site may not ask this.'));
    if (new URL(request.url).searchParams.get('view') === 'inbox') return await inbox(request);
    const person = await personOf(request);
    if (typeof person !== 'string' || person === '') return refuse(refused(401, 'Sign in first.'));
    if (request.method === 'POST') return await send(request, person, wait);
    if (request.method !== 'GET' && request.method !== 'DELETE') return refuse(refused(405, 'GET, POST or DELETE.'));
    const query = new URL(request.url).searchParams;
    const isGet = request.method === 'GET';
    if (!query.has('id') && isGet)
      return Response.json({ conversations: (await store.list(person, 100)) satisfies readonly ChatSummary[] }, forOne);
    const chat = chatIdOf(query.get('id'));
    if (chat === undefined)
      return refuse(refused(400, 'The request does not name its conversation: `id` has 1 to 200 printable characters.'));
    const key: ChatKey = { person, chat };
    if (query.get('view') === 'stream') return isGet ? await resume(key) : await stop(key);
    if (!isGet) return await remove(key);
    const found = await history(key);
    return found === undefined ? refuse(refused(404, 'There is no such conversation.')) : Response.json(found, forOne);
  }

  const handle: SkillChatHandler = async (request, ...platform) => {
    const waits = platform.find((given) => typeof (given as { readonly waitUntil?: unknown } | null)?.waitUntil === 'function');
    const wait = (running: Promise<void>): void => (waits as { waitUntil(running: Promise<void>): void } | undefined)?.waitUntil(running);
    try {
      return await route(request, wait);
    } catch (error) {
      onError(error, { person: '', chat: '' });
      return new Response('The chat failed.', { status: 500 });
    }
  };
  return { POST: handle, GET: handle, DELETE: handle, handle, history: (person, chat) => history({ person, chat }) };
}

/** A message of a model that failed before it said anything. */
function isEmpty({ parts }: UIMessage): boolean {
  return parts.every(({ type }) => type === 'step-start' || type.startsWith('data-'));
}

/** Nobody between the server and the page may keep what is one person's. */
const forOne = { headers: { 'cache-control': 'private, no-store' } };

function isRefusal(found: object): found is Refusal {
  return (found as Partial<Refusal>).kind === 'refused';
}

function refuse({ status, reason }: Refusal): Response {
  return new Response(reason, { status });
}

function busy(): Response {
  return new Response('An answer is being written.', { status: 409, headers: { 'retry-after': '1' } });
}

function streamOf(stream: ReadableStream<UIMessageChunk>): Response {
  return createUIMessageStreamResponse({ stream, headers: { 'cache-control': 'private, no-store' } });
}

/** A message that is there already, as an answer. */
function whole(message: UIMessage): ReadableStream<UIMessageChunk> {
  return new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of [{ type: 'start', messageId: message.id } as const, ...messageChunks(message), { type: 'finish' } as const])
        controller.enqueue(chunk);
      controller.close();
    },
  });
}

function titleOf(messages: readonly UIMessage[]): string | undefined {
  const text = messages.find(({ role }) => role === 'user')?.parts.find((part) => part.type === 'text')?.text;
  return text?.trim().split('\n')[0]?.slice(0, 80).toWellFormed();
}

/**
 * A form of another site brings the cookies along, and no form sends JSON. A script of another site
 * asks first, and the host's CORS answers.
 */
function isForged({ method, headers }: Request): boolean {
  return (
    method !== 'GET' &&
    headers.get('sec-fetch-site') === 'cross-site' &&
    headers.get('content-type')?.startsWith('application/json') !== true
  );
}
