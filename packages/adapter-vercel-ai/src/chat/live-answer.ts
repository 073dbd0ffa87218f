import type { UIMessage, UIMessageChunk } from 'ai';
import { messageChunks } from './message-chunks.ts';

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
