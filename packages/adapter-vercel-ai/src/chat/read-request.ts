import type { SkillAnswer } from '@repertoire/skills-core';
import { numberOption } from '@repertoire/skills-core/internal';
import { generateId, type UIMessage } from 'ai';

/** Limits of what a page may send. Each has a default, and none can be turned off. */
export interface SkillChatLimits {
  /** Bytes of a request. @default 100,000 */
  readonly requestBytes?: number | undefined;
  /** Parts of a message. @default 32 */
  readonly parts?: number | undefined;
  /** Messages of a conversation. @default 1,000 */
  readonly messages?: number | undefined;
  /** Calls that wait for the person at once. @default 8 */
  readonly openQuestions?: number | undefined;
}

/** Limits with their defaults. */
export type AllLimits = { readonly [Limit in keyof SkillChatLimits]-?: number };

/** @throws {SkillError} `invalid-options` for a limit that is none */
export function limitsOf(given: SkillChatLimits = {}): AllLimits {
  const limit = (name: keyof SkillChatLimits, fallback: number): number =>
    numberOption(`limits.${name}`, given[name], { of: 'skillChat', fallback, least: 1, whole: true });
  return {
    requestBytes: limit('requestBytes', 100_000),
    parts: limit('parts', 32),
    messages: limit('messages', 1000),
    openQuestions: limit('openQuestions', 8),
  };
}

/** What a person says to the calls that wait, by the id of the approval. */
export type Answers = ReadonlyMap<string, { readonly approved: boolean; readonly reason?: string }>;

/** What a person says on the card of a question. */
export interface GivenAnswer {
  /** Id of the call that waits; staff names none. */
  readonly call: unknown;
  /** Id of the question that was shown. */
  readonly question: string;
  readonly answer: SkillAnswer;
}

/** A request that was read, of which only what a person decides is left. */
export type ChatRequest =
  | { readonly kind: 'said'; readonly chat: string; readonly message: UIMessage; readonly isRegenerate: boolean }
  | { readonly kind: 'answered'; readonly chat: string; readonly answers: Answers }
  | { readonly kind: 'question'; readonly chat: string; readonly given: GivenAnswer }
  | Refusal;

/** A request that is not done, and why. */
export interface Refusal {
  readonly kind: 'refused';
  readonly status: number;
  readonly reason: string;
}

/**
 * Takes from the client what a person decides: the text of the last message, or answers to calls
 * that wait. Earlier messages, calls, their inputs, their results and messages of the system are
 * not even read.
 */
export async function readRequest(request: Request, limits: AllLimits): Promise<ChatRequest> {
  const body = await readBody(request, limits);
  if (body.kind === 'refused') return body;
  const { given } = body;
  const chat = chatIdOf(new URL(request.url).searchParams.get('id') ?? given['id']);
  if (chat === undefined) return refused(400, 'The request does not name its conversation: `id` has 1 to 200 printable characters.');
  if (isObject(given['answer'])) {
    const answer = answerIn(given['answer']);
    return answer === undefined ? refused(400, 'The request is no answer.') : { kind: 'question', chat, given: answer };
  }
  const { messages } = given;
  const message: unknown = Array.isArray(messages) ? messages.at(-1) : given['message'];
  if (!isObject(message) || !Array.isArray(message['parts'])) return refused(400, 'The request has no message.');
  const parts = message['parts'] as readonly unknown[];
  // An answer repeats the parts of a message that this server wrote.
  if (message['role'] === 'assistant') return { kind: 'answered', chat, answers: answersIn(parts) };
  if (message['role'] !== 'user') return refused(400, 'Only a person writes messages.');
  if (parts.length > limits.parts) return refused(400, `A message has at most ${limits.parts} parts.`);
  if (parts.some((part) => isObject(part) && part['type'] === 'file')) return refused(400, 'Files are not taken here.');
  const texts = parts.flatMap((part) =>
    isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  if (texts.join('').trim() === '') return refused(400, 'The message has no text.');
  const id = chatIdOf(message['id']) ?? generateId();
  return {
    kind: 'said',
    chat,
    message: { id, role: 'user', parts: texts.map((words) => ({ type: 'text', text: words })) },
    isRegenerate: given['trigger'] === 'regenerate-message',
  };
}

/** The answer of staff. */
export async function readAnswer(request: Request, limits: AllLimits): Promise<GivenAnswer | Refusal> {
  const body = await readBody(request, limits);
  if (body.kind === 'refused') return body;
  return answerIn(body.given) ?? refused(400, 'The request is no answer.');
}

/** An id that a client chose. */
export function chatIdOf(given: unknown): string | undefined {
  return typeof given === 'string' && given.length >= 1 && given.length <= 200 && !/\p{Cc}/u.test(given) && given.isWellFormed()
    ? given
    : undefined;
}

/**
 * A form of another site brings the cookies along, and no form sends JSON. A script of another site
 * asks first, and the host's CORS answers.
 */
export function isForged({ method, headers }: Request): boolean {
  return (
    method !== 'GET' &&
    headers.get('sec-fetch-site') === 'cross-site' &&
    headers.get('content-type')?.startsWith('application/json') !== true
  );
}

/** The answers that a person can give. */
const kinds: ReadonlySet<unknown> = new Set<SkillAnswer['answer']>(['once', 'conversation', 'content', 'never', 'no']);

function answerIn({ call, question, answer, grants }: Json): GivenAnswer | undefined {
  if (typeof question !== 'string' || !kinds.has(answer)) return undefined;
  const given = Array.isArray(grants) ? { answer, grants } : { answer };
  return { call, question, answer: given as SkillAnswer };
}

function answersIn(parts: readonly unknown[]): Answers {
  return new Map(
    parts.flatMap((part) => {
      const approval = isObject(part) && part['state'] === 'approval-responded' && part['approval'];
      if (!isObject(approval)) return [];
      const { id, approved, reason } = approval;
      if (typeof id !== 'string' || typeof approved !== 'boolean') return [];
      return [[id, { approved, ...(typeof reason === 'string' && { reason: reason.slice(0, 2000) }) }] as const];
    }),
  );
}

/** Nothing behind the limit is kept. */
async function readBody(request: Request, { requestBytes }: AllLimits): Promise<{ readonly kind: 'body'; readonly given: Json } | Refusal> {
  const decoder = new TextDecoder();
  const reader = request.body?.getReader();
  let text = '';
  let bytes = 0;
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > requestBytes) {
      await reader.cancel();
      return refused(413, `A request has at most ${requestBytes} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
  const given = parseJson(text + decoder.decode());
  return isObject(given) ? { kind: 'body', given } : refused(400, 'The request is no JSON object.');
}

type Json = Readonly<Record<string, unknown>>;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function refused(status: number, reason: string): Refusal {
  return { kind: 'refused', status, reason };
}
