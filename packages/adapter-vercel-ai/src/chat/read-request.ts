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

/** What a person says to the calls that wait, by the id of the approval. */
export type Answers = ReadonlyMap<string, { readonly approved: boolean; readonly reason?: string }>;

/** A request that was read, of which only what a person decides is left. */
export type ChatRequest =
  | { readonly kind: 'said'; readonly chat: string; readonly message: UIMessage; readonly isRegenerate: boolean }
  | { readonly kind: 'answered'; readonly chat: string; readonly answers: Answers }
  | { readonly kind: 'question'; readonly chat: string; readonly given: Readonly<Record<string, unknown>> }
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
  const text = await readText(request, limits.requestBytes);
  if (text === undefined) return refused(413, `A request has at most ${limits.requestBytes} bytes.`);
  const body = parseJson(text);
  if (!isObject(body)) return refused(400, 'The request is no JSON object.');
  const chat = chatIdOf(new URL(request.url).searchParams.get('id') ?? body['id']);
  if (chat === undefined) return refused(400, 'The request does not name its conversation: `id` has 1 to 200 printable characters.');
  if (isObject(body['answer'])) return { kind: 'question', chat, given: body['answer'] };
  const { messages } = body;
  const message: unknown = Array.isArray(messages) ? messages.at(-1) : body['message'];
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
    isRegenerate: body['trigger'] === 'regenerate-message',
  };
}

/** An id that a client chose. */
export function chatIdOf(given: unknown): string | undefined {
  return typeof given === 'string' && given.length >= 1 && given.length <= 200 && !/\p{Cc}/u.test(given) && given.isWellFormed()
    ? given
    : undefined;
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

/** `undefined` if it is longer. Nothing behind the limit is kept. */
export async function readText(request: Request, most: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const reader = request.body?.getReader();
  let text = '';
  let bytes = 0;
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > most) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function refused(status: number, reason: string): Refusal {
  return { kind: 'refused', status, reason };
}
