import { notAskedText } from '@repertoire/skills-core/internal';
import { generateId, type UIMessage } from 'ai';
import type { ChatKey, ChatSnapshot } from './chat-store.ts';
import { refused, type Answers, type ChatRequest, type Refusal } from './read-request.ts';
import { denied, isCall, settleMessages, toolOf, type CallPart } from './settle-messages.ts';

/** What a request makes of a conversation that nobody else writes. */
export type Turn =
  /** The model goes on with these messages. */
  | { readonly kind: 'run'; readonly messages: readonly UIMessage[]; readonly removed?: readonly string[] }
  /** Some calls still wait for an answer. */
  | { readonly kind: 'wait'; readonly messages: readonly UIMessage[] }
  /** The answer was given before, and its reply was lost. */
  | { readonly kind: 'replay'; readonly messages: readonly UIMessage[]; readonly message: UIMessage }
  | Refusal;

/**
 * Decides what follows from a message of a person. Everything but the message is what the store
 * has. Calls that wait are signed, so that whoever can write to the database cannot make one that
 * looks as if a person had been asked about it.
 */
export class TurnRules {
  readonly #secrets: readonly string[];
  readonly #mostMessages: number;

  /**
   * @param secrets the first one signs; all of them are believed. Without any, nothing is signed.
   */
  constructor(secrets: readonly string[], mostMessages: number) {
    this.#secrets = secrets;
    this.#mostMessages = mostMessages;
  }

  async decide(request: Extract<ChatRequest, { kind: 'said' | 'answered' }>, snapshot: ChatSnapshot, key: ChatKey): Promise<Turn> {
    if (request.kind === 'answered') return await this.#withAnswers(settleMessages(snapshot, false), request.answers, key);
    const { message, isRegenerate } = request;
    const at = snapshot.messages.findIndex(({ id }) => id === message.id);
    if (snapshot.messages[at]?.role === 'user') return again(snapshot, at, message, isRegenerate);
    if (snapshot.messages.length >= this.#mostMessages)
      return refused(409, `A conversation has at most ${this.#mostMessages} messages. Begin another one.`);
    const said = at === -1 ? message : { ...message, id: generateId() };
    return { kind: 'run', messages: [...settleMessages(snapshot, true), said] };
  }

  /** The message with each waiting call signed. */
  async sign(key: ChatKey, message: UIMessage): Promise<UIMessage> {
    const [secret] = this.#secrets;
    if (secret === undefined) return message;
    const parts = await Promise.all(
      message.parts.map(async (part) => {
        if (!isCall(part) || part.state !== 'approval-requested' || part.approval.signature !== undefined) return part;
        return { ...part, approval: { ...part.approval, signature: await signatureOf(secret, key, part) } };
      }),
    );
    return { ...message, parts };
  }

  /** The calls, their inputs and their signatures are those of the store. */
  async #withAnswers(messages: readonly UIMessage[], answers: Answers, key: ChatKey): Promise<Turn> {
    const last = messages.at(-1);
    if (last?.role !== 'assistant') return refused(400, 'No call waits for an answer.');
    let isAnswered = false;
    const parts = await Promise.all(
      last.parts.map(async (part) => {
        if (!isCall(part) || (part.state !== 'approval-requested' && part.state !== 'approval-responded')) return part;
        const answer = answers.get(part.approval.id);
        // The same answer again: it was stored, and the process was lost before the call ran.
        const isGiven = answer !== undefined && (part.state === 'approval-requested' || part.approval.approved === answer.approved);
        isAnswered ||= isGiven;
        if (part.state === 'approval-requested' && !isGiven) return part;
        // An answer that is in the store runs the call as well as one of this request.
        if (!(await this.#isSigned(key, part))) return denied(part, notAskedText(toolOf(part)));
        return isGiven
          ? ({ ...part, state: 'approval-responded', approval: { ...part.approval, ...answer } } as unknown as CallPart)
          : part;
      }),
    );
    if (!isAnswered) return refused(409, 'No call waits for this answer.');
    const answered = [...messages.slice(0, -1), { ...last, parts }];
    return { kind: parts.some((part) => isCall(part) && part.state === 'approval-requested') ? 'wait' : 'run', messages: answered };
  }

  /** Whether one of the secrets signed exactly this call. */
  async #isSigned(key: ChatKey, part: CallPart): Promise<boolean> {
    if (this.#secrets.length === 0) return true;
    const signature = part.approval?.signature;
    if (signature === undefined) return false;
    const expected = await Promise.all(this.#secrets.map((secret) => signatureOf(secret, key, part)));
    return expected.includes(signature);
  }
}

/** A message that is known already: its reply was lost, or its answer is wanted anew. */
function again(snapshot: ChatSnapshot, at: number, message: UIMessage, isRegenerate: boolean): Turn {
  const known = snapshot.messages[at];
  const messages = settleMessages(snapshot, false);
  const answer = messages[at + 1];
  if (at < snapshot.messages.length - 2 || JSON.stringify(known?.parts) !== JSON.stringify(message.parts))
    return refused(409, 'A message that was answered cannot be changed. Write another one.');
  if (answer === undefined) return { kind: 'run', messages };
  if (!isRegenerate) {
    const last = answer.parts.findLast((part) => part.type !== 'step-start' && !part.type.startsWith('data-'));
    // After a result comes what the model makes of it.
    const isUnfinished = last !== undefined && isCall(last) && last.state !== 'approval-requested' && last.state !== 'approval-responded';
    return isUnfinished ? { kind: 'run', messages } : { kind: 'replay', messages, message: answer };
  }
  if (snapshot.calls.some((call) => call.message === answer.id))
    return refused(409, 'The answer made calls that cannot be undone, so it cannot be made anew. Write another message.');
  return { kind: 'run', messages: messages.slice(0, at + 1), removed: [answer.id] };
}

async function signatureOf(secret: string, { person, chat }: ChatKey, part: CallPart): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const text = JSON.stringify([person, chat, part.approval?.id, part.toolCallId, toolOf(part), part.input]);
  const bytes = await crypto.subtle.sign('HMAC', key, encoder.encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
