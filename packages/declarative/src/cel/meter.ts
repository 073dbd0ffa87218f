import { MessageView } from './message-view.ts';

/** Limits of one evaluation. */
export interface ExpressionLimits {
  /** Steps of loops: `map`, `filter`, `all`, `exists`, `exists_one`. @default 20,000 */
  readonly maxSteps: number;
  /** Characters and values that are created, compared and searched. @default 16,000,000 */
  readonly maxWork: number;
}

export const defaultExpressionLimits: ExpressionLimits = { maxSteps: 20_000, maxWork: 16_000_000 };

/**
 * The remaining budget of an evaluation. It counts instead of throwing, because by the CEL standard
 * `all`, `exists`, `&&` and `||` swallow errors, so a thrown error would stop no loop. When the
 * budget is spent, each step returns early, and the evaluation fails at its end whatever its result
 * is.
 */
export class Meter {
  readonly #limits: ExpressionLimits;
  #steps = 0;
  #work = 0;
  #sizes = new WeakMap<object, number>();

  constructor(limits: ExpressionLimits) {
    this.#limits = limits;
  }

  /** Starts an evaluation. Evaluations are synchronous, so there is only one at a time. */
  start(): void {
    this.#steps = this.#limits.maxSteps;
    this.#work = this.#limits.maxWork;
    this.#sizes = new WeakMap();
  }

  /** Whether there is budget left. */
  get left(): boolean {
    return this.#steps >= 0 && this.#work >= 0;
  }

  /** Counts one step of a loop. */
  step(): boolean {
    this.#steps -= 1;
    return this.left;
  }

  /** Counts work in proportion to the size of a value. Returns whether there is budget for it. */
  weigh(value: unknown): boolean {
    this.#work -= this.#sizeOf(value, 0);
    return this.left;
  }

  /** The same, for operations whose cost depends on texts only. */
  weighText(value: unknown): boolean {
    return typeof value === 'string' ? this.weigh(value) : this.left;
  }

  /** The size as a tree, although parts may be shared: comparing and printing cost that much. */
  #sizeOf(value: unknown, depth: number): number {
    if (typeof value === 'string') return value.length + 1;
    if (typeof value !== 'object' || value === null) return 4;
    if (ArrayBuffer.isView(value)) return value.byteLength;
    if (value instanceof MessageView) return this.#sizeOf(value.message.content, depth + 1) + 8;
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    // A deeper value could not be written to a state.
    if (depth > maxValueDepth) return Number.POSITIVE_INFINITY;
    let size = 8;
    if (value instanceof Map) for (const [key, item] of value) size += this.#sizeOf(key, depth + 1) + this.#sizeOf(item, depth + 1);
    else for (const item of Object.values(value)) size += this.#sizeOf(item, depth + 1) + 8;
    this.#sizes.set(value, size);
    return size;
  }
}

/** The deepest nesting of values in expressions. */
export const maxValueDepth = 100;
