import type { UIMessageChunk } from 'ai';
import type { ChatKey, ChatStore } from './chat-store.ts';
import { messageChunks } from './message-chunks.ts';
import { settleMessages } from './settle-messages.ts';

const everyMs = 500;

/**
 * The answer that another process writes, as far as the store has it. It ends when that process has
 * ended, or was lost.
 */
export function storedAnswer(store: ChatStore, key: ChatKey, writer: string): ReadableStream<UIMessageChunk> {
  const calls = new Set<string>();
  let at = 0;
  let hasEnded = false;
  let isGone = false;

  /** How calls ended that were running when the process was lost. */
  async function rest(): Promise<readonly UIMessageChunk[]> {
    if (hasEnded) return [];
    const snapshot = await store.read(key);
    const last = snapshot === undefined ? undefined : settleMessages(snapshot, false).at(-1);
    if (last?.role !== 'assistant') return at === 0 ? [] : [{ type: 'finish' }];
    const chunks = messageChunks(last);
    if (at === 0) return [{ type: 'start', messageId: last.id }, ...chunks, { type: 'finish' }];
    return [...chunks.filter((chunk) => 'toolCallId' in chunk && calls.has(chunk.toolCallId) && isResult(chunk)), { type: 'finish' }];
  }

  return new ReadableStream<UIMessageChunk>({
    async pull(controller) {
      while (!isGone) {
        const { texts, running } = await store.chunks(key, writer, at);
        at += texts.length;
        for (const text of texts) {
          const chunk = JSON.parse(text) as UIMessageChunk;
          if (chunk.type === 'tool-input-available') calls.add(chunk.toolCallId);
          if ('toolCallId' in chunk && isResult(chunk)) calls.delete(chunk.toolCallId);
          hasEnded ||= chunk.type === 'finish' || chunk.type === 'abort';
          controller.enqueue(chunk);
        }
        if (texts.length > 0) return;
        if (!running) {
          for (const chunk of await rest()) controller.enqueue(chunk);
          controller.close();
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
    },
    cancel() {
      isGone = true;
    },
  });
}

function isResult({ type }: UIMessageChunk): boolean {
  return type === 'tool-output-available' || type === 'tool-output-error' || type === 'tool-output-denied';
}
