import { sharesPromises } from '@repertoire/skills-core/internal';
import { abortable } from '@repertoire/skills-core/provider';

interface Flight {
  readonly result: Promise<unknown>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Shares one request for each resource between callers, except in Workers. An abort ends one
 * caller's wait; a request without callers is canceled.
 */
export class Flights {
  readonly #flights = new Map<string, Flight>();

  async join<Value>(key: string, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    signal?.throwIfAborted();
    if (!sharesPromises()) return await abortable(() => start(signal ?? new AbortController().signal), signal);
    const flight = this.#flights.get(key) ?? this.#takeOff(key, start);
    flight.waiting += 1;
    try {
      return (await abortable(() => flight.result, signal)) as Value;
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0 && this.#flights.get(key) === flight) {
        this.#flights.delete(key);
        flight.controller.abort();
      }
    }
  }

  /** Whether nothing is under way that calls share. */
  get isIdle(): boolean {
    return this.#flights.size === 0;
  }

  /** Ends everything that is under way. */
  abort(reason: unknown): void {
    for (const { controller } of this.#flights.values()) controller.abort(reason);
  }

  #takeOff(key: string, start: (signal: AbortSignal) => Promise<unknown>): Flight {
    const controller = new AbortController();
    const land = () => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    const result = start(controller.signal).finally(land);
    // When it fails, all callers may have left, and nobody would handle the rejection.
    result.catch(() => {});
    const flight: Flight = { result, controller, waiting: 0 };
    this.#flights.set(key, flight);
    return flight;
  }
}
