import { generateId, type UIMessage } from 'ai';

/** The most bytes of a request. */
const maxBytes = 100_000;

/** The answers of a person to calls that wait, by the id of the approval. */
interface Answers {
  readonly [approval: string]: { readonly approved: boolean; readonly reason?: string | undefined };
}

/** What a request asks for, after everything that a browser could forge was left out. */
export type LastMessage =
  | { readonly kind: 'said'; readonly message: UIMessage }
  | { readonly kind: 'answered'; readonly message: UIMessage }
  | { readonly kind: 'refused'; readonly status: 400 | 409 | 413; readonly reason: string };

/**
 * Takes from the client its last message, and of that only what a person decides: the text, or the answers to calls that this server asked about.
 * Everything else, such as earlier messages, calls, results and system messages, comes from the store.
 */
export async function readLastMessage(request: Request, stored: readonly UIMessage[]): Promise<LastMessage> {
  const body = await readJson(request);
  if (body === 'too-large') return { kind: 'refused', status: 413, reason: `A request has at most ${maxBytes} bytes.` };
  const { messages, message = messages?.at(-1) } = (body ?? {}) as { readonly messages?: UIMessage[]; readonly message?: UIMessage };
  const parts: unknown = message?.parts;
  if (message === undefined || !Array.isArray(parts)) return { kind: 'refused', status: 400, reason: 'The request has no message.' };
  if (message.role === 'user') {
    const text = parts.flatMap((part: Partial<UIMessage['parts'][number]> | null) =>
      part?.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
    );
    if (text.join('').trim() === '') return { kind: 'refused', status: 400, reason: 'The message has no text.' };
    const isNew = typeof message.id === 'string' && message.id !== '' && !stored.some(({ id }) => id === message.id);
    const id = isNew ? message.id : generateId();
    return { kind: 'said', message: { id, role: 'user', parts: text.map((words) => ({ type: 'text', text: words })) } };
  }
  const last = stored.at(-1);
  if (message.role !== 'assistant' || last?.role !== 'assistant')
    return { kind: 'refused', status: 400, reason: 'Only a person writes messages.' };
  const answered = withAnswers(last, answersIn(parts));
  if (answered === last) return { kind: 'refused', status: 409, reason: 'No call waits for this answer.' };
  return { kind: 'answered', message: answered };
}

function answersIn(parts: readonly unknown[]): Answers {
  const answers: Record<string, Answers[string]> = Object.create(null) as Record<string, Answers[string]>;
  for (const part of parts) {
    const { state, approval } = (part ?? {}) as {
      readonly state?: unknown;
      readonly approval?: { readonly id?: unknown; readonly approved?: unknown; readonly reason?: unknown };
    };
    if (state !== 'approval-responded' || typeof approval?.id !== 'string' || typeof approval.approved !== 'boolean') continue;
    const { reason } = approval;
    answers[approval.id] = { approved: approval.approved, ...(typeof reason === 'string' && { reason }) };
  }
  return answers;
}

/** The stored message with the answers. The calls, their inputs and the signatures of their approvals stay those of this server. */
function withAnswers(message: UIMessage, answers: Answers): UIMessage {
  let isAnswered = false;
  const parts = message.parts.map((part) => {
    if (!('state' in part) || part.state !== 'approval-requested') return part;
    const answer = answers[part.approval.id];
    if (answer === undefined) return part;
    isAnswered = true;
    return { ...part, state: 'approval-responded', approval: { ...part.approval, ...answer } } as typeof part;
  });
  return isAnswered ? { ...message, parts } : message;
}

async function readJson(request: Request): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) return 'too-large';
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
