import { parseJsonEventStream, uiMessageChunkSchema, type UIMessage, type UIMessageChunk } from 'ai';
import type { ChatKey, ChatStore } from './chat-store.ts';
import { isCall, settleMessages, toolOf, type CallPart } from './settle-messages.ts';

/** An answer that is being written. Each reader gets all of it, however late it comes. */
export class LiveAnswer {
  /**
   * What readers get who know nothing of the message: its start, what it had before, and the chunks
   * of this turn.
   */
  readonly chunks: UIMessageChunk[] = [];
  readonly #before: readonly UIMessageChunk[];
  readonly #waiting = new Set<() => void>();
  #ended = false;

  /** @param message the message that the answer goes on with. @default a new one */
  constructor(message: UIMessage | undefined) {
    this.#before = message === undefined ? [] : messageChunks(message);
  }

  push(chunk: UIMessageChunk): void {
    this.chunks.push(chunk);
    if (this.chunks.length === 1) this.chunks.push(...this.#before);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** @param isKnown whether the reader has what the message had before */
  read(isKnown: boolean): ReadableStream<UIMessageChunk> {
    let at = 0;
    return new ReadableStream<UIMessageChunk>({
      pull: async (controller) => {
        if (isKnown && at === 1) at += this.#before.length;
        while (at >= this.chunks.length && !this.#ended) await new Promise<void>((resolve) => this.#waiting.add(resolve));
        const chunk = this.chunks[at];
        at += 1;
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** How often the store is asked for more. */
const everyMs = 500;

/** Some chunks of an answer, and whether there may be more. */
interface NextChunks {
  readonly chunks: readonly UIMessageChunk[];
  readonly running: boolean;
}

/**
 * The answer that another process writes, as far as the store has it. It ends when that process has
 * ended, or was lost.
 *
 * @param shared the text of the answer, where processes share it by other means than the store
 */
export function storedAnswer(
  store: ChatStore,
  key: ChatKey,
  writer: string,
  shared?: ReadableStream<string> | null,
): ReadableStream<UIMessageChunk> {
  const next = shared ? sharedChunks(store, key, writer, shared) : storedChunks(store, key, writer);
  const calls = new Set<string>();
  let isNew = true;
  let hasEnded = false;
  let isGone = false;

  /** How calls ended that were running when the process was lost. */
  async function rest(): Promise<readonly UIMessageChunk[]> {
    if (hasEnded) return [];
    const snapshot = await store.read(key);
    const last = snapshot === undefined ? undefined : settleMessages(snapshot, false).at(-1);
    if (last?.role !== 'assistant') return isNew ? [] : [{ type: 'finish' }];
    const chunks = messageChunks(last);
    if (isNew) return [{ type: 'start', messageId: last.id }, ...chunks, { type: 'finish' }];
    return [...chunks.filter((chunk) => 'toolCallId' in chunk && calls.has(chunk.toolCallId) && isResult(chunk)), { type: 'finish' }];
  }

  return new ReadableStream<UIMessageChunk>({
    async pull(controller) {
      while (!isGone) {
        const { chunks, running } = await next();
        for (const chunk of chunks) {
          if (chunk.type === 'tool-input-available') calls.add(chunk.toolCallId);
          if ('toolCallId' in chunk && isResult(chunk)) calls.delete(chunk.toolCallId);
          hasEnded ||= chunk.type === 'finish' || chunk.type === 'abort';
          isNew = false;
          controller.enqueue(chunk);
        }
        if (chunks.length > 0) return;
        if (running) continue;
        for (const chunk of await rest()) controller.enqueue(chunk);
        controller.close();
        return;
      }
    },
    async cancel() {
      isGone = true;
      await shared?.cancel().catch(() => undefined);
    },
  });
}

function storedChunks(store: ChatStore, key: ChatKey, writer: string): () => Promise<NextChunks> {
  let at = 0;
  return async () => {
    const { texts, running } = await store.chunks(key, writer, at);
    at += texts.length;
    if (texts.length === 0 && running) await new Promise((resolve) => setTimeout(resolve, everyMs));
    return { chunks: texts.map((text) => JSON.parse(text) as UIMessageChunk), running };
  };
}

/** Whoever writes may be lost, and the stream does not know. */
function sharedChunks(store: ChatStore, key: ChatKey, writer: string, shared: ReadableStream<string>): () => Promise<NextChunks> {
  const chunks = parseJsonEventStream({ stream: shared.pipeThrough(new TextEncoderStream()), schema: uiMessageChunkSchema });
  const reader = chunks.getReader();
  let reading: ReturnType<typeof reader.read> | undefined;
  return async () => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<undefined>((resolve) => void (timer = setTimeout(resolve, everyMs)));
    const found = await Promise.race([(reading ??= reader.read()), late]);
    clearTimeout(timer);
    if (found === undefined) return { chunks: [], running: (await store.chunks(key, writer, 0)).running };
    reading = undefined;
    return { chunks: found.value?.success === true ? [found.value.value] : [], running: !found.done };
  };
}

function isResult({ type }: UIMessageChunk): boolean {
  return type === 'tool-output-available' || type === 'tool-output-error' || type === 'tool-output-denied';
}

/** The parts of a message as a stream would have brought them, without its start and end. */
function messageChunks({ parts }: UIMessage): readonly UIMessageChunk[] {
  return parts.flatMap((part, index): readonly UIMessageChunk[] => {
    const id = `kept-${index}`;
    if (isCall(part)) return callChunks(part);
    switch (part.type) {
      case 'text':
        return [
          { type: 'text-start', id },
          { type: 'text-delta', id, delta: part.text },
          { type: 'text-end', id },
        ];
      case 'reasoning':
        return [
          { type: 'reasoning-start', id },
          { type: 'reasoning-delta', id, delta: part.text },
          { type: 'reasoning-end', id, ...(part.providerMetadata !== undefined && { providerMetadata: part.providerMetadata }) },
        ];
      case 'step-start':
        return [{ type: 'start-step' }];
      default:
        // Files, sources and data are chunks as they are.
        return [part];
    }
  });
}

function callChunks(part: CallPart): readonly UIMessageChunk[] {
  const { toolCallId, input, approval, toolMetadata, callProviderMetadata } = part;
  const call = {
    toolCallId,
    toolName: toolOf(part),
    ...(part.type === 'dynamic-tool' && { dynamic: true }),
    ...(part.providerExecuted !== undefined && { providerExecuted: part.providerExecuted }),
    ...(toolMetadata !== undefined && { toolMetadata }),
    ...(callProviderMetadata !== undefined && { providerMetadata: callProviderMetadata }),
  };
  const asked: readonly UIMessageChunk[] =
    approval === undefined
      ? []
      : [
          { type: 'tool-approval-request', toolCallId, approvalId: approval.id },
          ...(approval.approved === undefined
            ? []
            : [
                {
                  type: 'tool-approval-response' as const,
                  approvalId: approval.id,
                  approved: approval.approved,
                  ...(approval.reason !== undefined && { reason: approval.reason }),
                },
              ]),
        ];
  const begun: readonly UIMessageChunk[] = [{ type: 'tool-input-available', ...call, input }, ...asked];
  switch (part.state) {
    case 'input-streaming':
      return [{ type: 'tool-input-start', ...call }];
    case 'output-available':
      return [
        ...begun,
        { type: 'tool-output-available', toolCallId, output: part.output, ...(part.preliminary === true && { preliminary: true }) },
      ];
    case 'output-error':
      return [...begun, { type: 'tool-output-error', toolCallId, errorText: part.errorText }];
    case 'output-denied':
      return [...begun, { type: 'tool-output-denied', toolCallId }];
    default:
      return begun;
  }
}

/** A message that is there already, as an answer. */
export function wholeAnswer(message: UIMessage): ReadableStream<UIMessageChunk> {
  const live = new LiveAnswer(message);
  live.push({ type: 'start', messageId: message.id });
  live.push({ type: 'finish' });
  live.end();
  return live.read(false);
}
