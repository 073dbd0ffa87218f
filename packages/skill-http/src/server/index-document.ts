import { joined } from './bytes.ts';
import type { Turns } from './turns.ts';

const encoder = new TextEncoder();

/**
 * An index as JSON, which is written entry by entry: that of ten thousand skills has megabytes, and would keep the event loop if it were written at once.
 */
export class IndexDocument {
  readonly #turns: Turns;
  readonly #parts: Uint8Array[];
  #isEmpty = true;

  /** @param head the fields before the list of skills */
  constructor(head: Readonly<Record<string, string>>, turns: Turns) {
    this.#turns = turns;
    const fields = Object.entries(head).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`);
    this.#parts = [encoder.encode(`{${fields.join('')}"skills":[`)];
  }

  async add(entry: object): Promise<void> {
    const part = encoder.encode(`${this.#isEmpty ? '' : ','}${JSON.stringify(entry)}`);
    this.#isEmpty = false;
    this.#parts.push(part);
    await this.#turns.spend(part.length);
  }

  /** The document as it is now. */
  bytes(): Uint8Array {
    return joined([...this.#parts, encoder.encode(']}\n')]);
  }
}
