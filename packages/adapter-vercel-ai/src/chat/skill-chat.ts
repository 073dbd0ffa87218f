import { SkillError, type SkillApprovals, type Skillset } from '@repertoire/skills-core';
import { assertKnownOptions, messageOf, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import {
  createUIMessageStreamResponse,
  generateId,
  JsonToSseTransformStream,
  type LanguageModel,
  type streamText,
  type ToolSet,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import type { AiSdkOwnApproval, AiSdkSkillsOptions } from '../ai-sdk-skills-options.ts';
import { LiveAnswer, storedAnswer, wholeAnswer } from './answer-chunks.ts';
import type { ChatKey, ChatStore } from './chat-store.ts';
import { ChatTurn } from './chat-turn.ts';
import { ChatWriter, type ChatWriterOptions } from './chat-writer.ts';
import { TurnRules } from './decide-turn.ts';
import {
  chatIdOf,
  isForged,
  limitsOf,
  readAnswer,
  readRequest,
  refused,
  type AllLimits,
  type Refusal,
  type SkillChatLimits,
} from './read-request.ts';
import { settleMessages } from './settle-messages.ts';
import { sqlChatStore } from './sql-chat-store.ts';

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
   * Chunks of answers for readers on other machines, in Redis: what `createResumableStreamContext`
   * of the package `resumable-stream` returns.
   * @default the store, which readers ask twice a second
   */
  readonly streams?: ChatStreams | undefined;
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

/** Streams that processes share: the part of `resumable-stream` that is used. */
export interface ChatStreams {
  createNewResumableStream(id: string, make: () => ReadableStream<string>): Promise<unknown>;
  resumeExistingStream(id: string): Promise<ReadableStream<string> | null | undefined>;
}

/** Who of the host's own people answers questions. */
export interface SkillChatStaff<Context> {
  /** Those of the skillset, with `askWhom`. */
  readonly approvals: SkillApprovals<Context>;
  /** Who may answer, by the request; nothing if whoever asks may not. It is told as `by`. */
  readonly who: (request: Request) => string | null | undefined | Promise<string | null | undefined>;
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
  streams: '{}',
  person: '()',
  context: '()',
  staff: { '{}': { approvals: '{}', who: '()' } },
  instructions: 'string',
  toolApproval: { '()': true, '{}': true },
  secrets: 'string[]',
  limits: { '{}': { requestBytes: true, parts: true, messages: true, openQuestions: true } },
  leaseMs: true,
  skills: '{}',
  settings: '{}',
  onError: '()',
};

/**
 * Creates a chat on the server: it keeps conversations, answers messages, asks a person, resumes
 * and stops. Mount it at one path; the query says the rest, and `skillChatTransport` of
 * `./chat/client` knows it.
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
  const chat = new Chat(options);
  const handle: SkillChatHandler = (request, ...platform) => chat.handle(request, platform);
  return { POST: handle, GET: handle, DELETE: handle, handle, history: (person, name) => chat.history({ person, chat: name }) };
}

/** Keeps what has to end before a platform may end this process. */
type Wait = (running: Promise<void>) => void;

class Chat<Context> {
  readonly #options: SkillChatOptions<Context> & ChatWriterOptions;
  readonly #limits: AllLimits;
  readonly #rules: TurnRules;
  readonly #onError: (error: unknown, key: ChatKey) => void;
  /** Answers that this process writes. */
  readonly #live = new Map<string, { readonly answer: LiveAnswer; readonly writer: ChatWriter }>();

  constructor(options: SkillChatOptions<Context>) {
    const { secrets = [] } = options;
    if (secrets.some(({ length }) => length < 32))
      throw new SkillError('invalid-options', 'Each of `secrets` needs at least 32 characters.');
    this.#limits = limitsOf(options.limits);
    this.#rules = new TurnRules(secrets, this.#limits.messages);
    this.#onError =
      options.onError ??
      ((error) =>
        options.skillset.report({ code: 'chat-failed', severity: 'error', message: `A turn of a chat failed: ${messageOf(error)}` }));
    this.#options = {
      ...options,
      store: options.store ?? sqlChatStore('chat.sqlite'),
      leaseMs: numberOption('leaseMs', options.leaseMs, { of: 'skillChat', fallback: 10_000, least: 100 }),
      onError: this.#onError,
    };
  }

  async handle(request: Request, platform: readonly unknown[]): Promise<Response> {
    const waits = platform.find((given) => typeof (given as { readonly waitUntil?: unknown } | null)?.waitUntil === 'function');
    try {
      return await this.#route(request, (running) => (waits as { waitUntil: Wait } | undefined)?.waitUntil(running));
    } catch (error) {
      this.#onError(error, { person: '', chat: '' });
      return new Response('The chat failed.', { status: 500 });
    }
  }

  async history(key: ChatKey): Promise<ChatHistory | undefined> {
    const snapshot = await this.#options.store.read(key);
    if (snapshot === undefined) return undefined;
    const isRunning = snapshot.writer !== undefined;
    return { id: key.chat, title: snapshot.title, messages: isRunning ? snapshot.messages : settleMessages(snapshot, false), isRunning };
  }

  async #route(request: Request, wait: Wait): Promise<Response> {
    if (isForged(request)) return refuse(refused(403, 'A page of another site may not ask this.'));
    const { method } = request;
    const query = new URL(request.url).searchParams;
    if (query.get('view') === 'inbox') return await this.#inbox(request, query.get('question'));
    const person = await this.#options.person(request);
    if (typeof person !== 'string' || person === '') return refuse(refused(401, 'Sign in first.'));
    if (method === 'POST') return await this.#send(request, person, wait);
    if (method !== 'GET' && method !== 'DELETE') return refuse(refused(405, 'GET, POST or DELETE.'));
    if (!query.has('id') && method === 'GET') return json({ conversations: await this.#options.store.list(person, 100) });
    const chat = chatIdOf(query.get('id'));
    if (chat === undefined)
      return refuse(refused(400, 'The request does not name its conversation: `id` has 1 to 200 printable characters.'));
    const key: ChatKey = { person, chat };
    if (query.get('view') === 'stream') return method === 'GET' ? await this.#resume(key) : await this.#stop(key);
    if (method === 'DELETE') return await this.#remove(key);
    const found = await this.history(key);
    return found === undefined ? refuse(refused(404, 'There is no such conversation.')) : json(found);
  }

  async #send(request: Request, person: string, wait: Wait): Promise<Response> {
    const given = await readRequest(request, this.#limits);
    if (given.kind === 'refused') return refuse(given);
    const key: ChatKey = { person, chat: given.chat };
    const taken = await ChatWriter.take(this.#options, key);
    if (taken === 'busy') return (given.kind === 'said' && (await this.#sameMessage(given.message, key))) || busy();
    const { writer, snapshot } = taken;
    try {
      const turn = new ChatTurn(this.#options, key, request, taken);
      if (given.kind === 'question') {
        const { changed, ...answered } = await turn.answerQuestion(given.given);
        if (changed === undefined) await writer.release();
        else await writer.put([changed], { release: true });
        return json(answered);
      }
      const next = await this.#rules.decide(given, snapshot, key);
      if (next.kind === 'refused') {
        await writer.release();
        return refuse(next);
      }
      const { messages } = next;
      const news = messages.filter((message) => !snapshot.messages.includes(message));
      if (next.kind !== 'run') {
        await writer.put(news, { release: true });
        return streamOf(
          wholeAnswer(next.kind === 'replay' ? next.message : { id: messages.at(-1)?.id ?? '', role: 'assistant', parts: [] }),
        );
      }
      await writer.put(news, { removed: next.removed, title: snapshot.title === '' ? titleOf(messages) : undefined });
      return await this.#run(key, turn, writer, messages, wait);
    } catch (error) {
      this.#onError(error, key);
      await writer.release().catch(() => undefined);
      return new Response('The chat failed.', { status: 500 });
    }
  }

  async #run(key: ChatKey, turn: ChatTurn<Context>, writer: ChatWriter, messages: readonly UIMessage[], wait: Wait): Promise<Response> {
    const last = messages.at(-1);
    const going = last?.role === 'assistant' ? last : undefined;
    const answer = new LiveAnswer(going);
    let written: UIMessage | undefined;
    const source = await turn.answer({
      messages,
      id: going?.id ?? generateId(),
      openQuestions: this.#limits.openQuestions,
      onStep: async (message) => await writer.put([await this.#rules.sign(key, message)]),
      onMessage: (message) => void (written = message),
    });
    this.#live.set(nameOf(key), { answer, writer });
    const isShared = await this.#share(key, writer.id, answer);
    const stopKeeping = writer.keep(isShared ? [] : answer.chunks);
    // The answer is read to its end here, so a browser that goes away stops nothing and loses
    // nothing.
    const running = (async () => {
      try {
        for await (const chunk of source) answer.push(chunk);
      } catch (error) {
        if (!writer.ending.signal.aborted) this.#onError(error, key);
      } finally {
        await stopKeeping();
        const { id } = written ?? {};
        await this.#end(
          key,
          writer,
          written === undefined || isEmpty(written) ? messages : [...messages.filter((message) => message.id !== id), written],
        );
        this.#live.delete(nameOf(key));
        answer.end();
      }
    })();
    wait(running);
    return streamOf(answer.read(true));
  }

  /** Whether readers on other machines get the answer by other means than the store. */
  async #share(key: ChatKey, id: string, answer: LiveAnswer): Promise<boolean> {
    const { streams } = this.#options;
    if (streams === undefined) return false;
    try {
      await streams.createNewResumableStream(id, () => answer.read(false).pipeThrough(new JsonToSseTransformStream()));
      return true;
    } catch (error) {
      this.#onError(error, key);
      return false;
    }
  }

  /** What the turn left, with a result for each call, so that whoever comes next can go on. */
  async #end(key: ChatKey, writer: ChatWriter, messages: readonly UIMessage[]): Promise<void> {
    try {
      const settled = settleMessages({ messages, ...writer.known }, false).at(-1);
      await writer.put(settled === undefined ? [] : [await this.#rules.sign(key, settled)], { release: true });
    } catch (error) {
      // Another process has the conversation, or the store is gone: what is there already says what
      // happened.
      this.#onError(error, key);
    }
  }

  /** The same message again, while its answer is being written: its reply was lost. */
  async #sameMessage({ id }: UIMessage, key: ChatKey): Promise<Response | undefined> {
    const messages = (await this.#options.store.read(key))?.messages ?? [];
    if (messages.findLast(({ role }) => role === 'user')?.id !== id) return undefined;
    const resumed = await this.#resume(key);
    return resumed.status === 200 ? resumed : undefined;
  }

  async #resume(key: ChatKey): Promise<Response> {
    const here = this.#live.get(nameOf(key));
    if (here !== undefined) return streamOf(here.answer.read(false));
    const { store, streams } = this.#options;
    const writer = (await store.read(key))?.writer;
    if (writer === undefined) return nothing();
    const shared = await streams?.resumeExistingStream(writer).catch((error: unknown) => this.#onError(error, key));
    return streamOf(storedAnswer(store, key, writer, shared ?? null));
  }

  async #stop(key: ChatKey): Promise<Response> {
    this.#live.get(nameOf(key))?.writer.ending.abort(new Error('The answer was stopped.'));
    await this.#options.store.stop(key);
    return nothing();
  }

  async #remove(key: ChatKey): Promise<Response> {
    if ((await this.#options.store.read(key)) === undefined) return nothing();
    const taken = await ChatWriter.take(this.#options, key);
    if (taken === 'busy') return busy();
    await taken.writer.remove();
    return nothing();
  }

  /** Lists the questions that wait for staff, shows one whole, and takes an answer. */
  async #inbox(request: Request, id: string | null): Promise<Response> {
    const { staff, context } = this.#options;
    if (staff === undefined) return refuse(refused(404, 'This chat has no inbox.'));
    const by = await staff.who(request);
    if (typeof by !== 'string' || by === '') return refuse(refused(403, 'Only staff answers these questions.'));
    const inbox = staff.approvals.inbox((await context?.(request, by)) as Context);
    if (request.method === 'GET' && id === null) return json({ questions: await inbox.questions() });
    if (request.method === 'GET') {
      const question = await inbox.question(id ?? '');
      return question === undefined ? refuse(refused(404, 'This question does not wait for an answer.')) : json(question);
    }
    if (request.method !== 'POST') return refuse(refused(405, 'GET or POST.'));
    const given = await readAnswer(request, this.#limits);
    return 'kind' in given ? refuse(given) : json({ runs: await inbox.answer(given.question, given.answer, by) });
  }
}

function nameOf({ person, chat }: ChatKey): string {
  return JSON.stringify([person, chat]);
}

/** A message of a model that failed before it said anything. */
function isEmpty({ parts }: UIMessage): boolean {
  return parts.every(({ type }) => type === 'step-start' || type.startsWith('data-'));
}

/** Nobody between the server and the page may keep what is one person's. */
const headers = { 'cache-control': 'private, no-store' };

function json(body: object): Response {
  return Response.json(body, { headers });
}

function streamOf(stream: ReadableStream<UIMessageChunk>): Response {
  return createUIMessageStreamResponse({ stream, headers });
}

function nothing(): Response {
  return new Response(null, { status: 204 });
}

function refuse({ status, reason }: Refusal): Response {
  return new Response(reason, { status });
}

function busy(): Response {
  return new Response('An answer is being written.', { status: 409, headers: { 'retry-after': '1' } });
}

function titleOf(messages: readonly UIMessage[]): string | undefined {
  const text = messages.find(({ role }) => role === 'user')?.parts.find((part) => part.type === 'text')?.text;
  return text?.trim().split('\n')[0]?.slice(0, 80).toWellFormed();
}
