import { notAskedText } from '@repertoire/skills-core/internal';
import { generateId, type UIMessage } from 'ai';
import type { ApprovalSignatures } from './approval-signatures.ts';
import type { ChatKey, ChatSnapshot } from './chat-store.ts';
import { refused, type AllLimits, type Answers, type ChatRequest, type Refusal } from './read-request.ts';
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
 * has.
 */
export async function decideTurn(
  request: Extract<ChatRequest, { kind: 'said' | 'answered' }>,
  snapshot: ChatSnapshot,
  { key, signatures, limits }: { readonly key: ChatKey; readonly signatures: ApprovalSignatures; readonly limits: AllLimits },
): Promise<Turn> {
  if (request.kind === 'answered') return await withAnswers(settleMessages(snapshot, false), request.answers, key, signatures);
  const { message, isRegenerate } = request;
  const at = snapshot.messages.findIndex(({ id }) => id === message.id);
  if (snapshot.messages[at]?.role === 'user') return again(snapshot, at, message, isRegenerate);
  if (snapshot.messages.length >= limits.messages)
    return refused(409, `A conversation has at most ${limits.messages} messages. Begin another one.`);
  const said = at === -1 ? message : { ...message, id: generateId() };
  return { kind: 'run', messages: [...settleMessages(snapshot, true), said] };
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

/** The calls, their inputs and their signatures are those of the store. */
async function withAnswers(messages: readonly UIMessage[], answers: Answers, key: ChatKey, signatures: ApprovalSignatures): Promise<Turn> {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return refused(400, 'No call waits for an answer.');
  let isAnswered = false;
  const parts = await Promise.all(
    last.parts.map(async (part) => {
      if (!isCall(part) || (part.state !== 'approval-requested' && part.state !== 'approval-responded')) return part;
      const answer = answers.get(part.approval.id);
      if (answer === undefined) return part;
      // The same answer again: it was stored, and the process was lost before the call ran.
      if (part.state === 'approval-responded' && part.approval.approved !== answer.approved) return part;
      isAnswered = true;
      if (!(await signatures.isSigned(key, part))) return denied(part, notAskedText(toolOf(part)));
      return { ...part, state: 'approval-responded', approval: { ...part.approval, ...answer } } as unknown as CallPart;
    }),
  );
  if (!isAnswered) return refused(409, 'No call waits for this answer.');
  const answered = [...messages.slice(0, -1), { ...last, parts }];
  return { kind: parts.some((part) => isCall(part) && part.state === 'approval-requested') ? 'wait' : 'run', messages: answered };
}
