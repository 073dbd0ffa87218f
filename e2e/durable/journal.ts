import type { DurableEngine } from '@repertoire/skill-workflow/agent';

/** A step as a journal has it. What it holds is text, as in a database. */
interface Entry {
  readonly id: string;
  readonly result?: string;
  readonly error?: string;
}

/** Workers without `nodejs_compat` have no `setImmediate`. */
const later = async (): Promise<void> =>
  await new Promise<void>((resolve) => void (typeof setImmediate === 'function' ? setImmediate(resolve) : setTimeout(resolve, 0)));

/**
 * A journal that outlives the processes that write it, for tests that try every place. By `order` it numbers steps as they start, as DBOS and Restate do, and refuses a step that is another one
 * than was recorded; by `name` it finds them by their id, as Cloudflare does.
 */
export class Journal {
  readonly #entries = new Map<string, Entry>();
  readonly #by: 'order' | 'name';

  constructor(by: 'order' | 'name') {
    this.#by = by;
  }

  /** The engine of one process. */
  engine(workflowId: string): DurableEngine {
    let count = 0;
    return {
      workflowId,
      runStep: async (id, work) => {
        const key = this.#by === 'order' ? String((count += 1)) : id;
        const known = this.#entries.get(key);
        // A database takes its time.
        await later();
        if (known !== undefined && known.id !== id) throw new Error(`${known.id} was recorded when ${id} was expected.`);
        if (known === undefined) {
          try {
            this.#entries.set(key, { id, result: JSON.stringify(await work()) });
          } catch (error) {
            this.#entries.set(key, { id, error: String(error) });
          }
        }
        const { result, error } = this.#entries.get(key) ?? {};
        if (error !== undefined) throw new Error(error);
        return JSON.parse(String(result)) as never;
      },
    };
  }
}
