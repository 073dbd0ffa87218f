import { hashText } from '@repertoire/skills-core/internal';

interface Turn {
  readonly callId: string;
  /** Resolves when every turn before it has started its step, or has ended without one. */
  readonly before: Promise<void>;
  readonly pass: () => void;
  started: boolean;
}

/** Starts the steps of parallel calls in the order in which the calls began. */
export class Turns {
  #last: Promise<void> = Promise.resolve();
  #open: Turn[] = [];

  /** @param callId unique in the run */
  async run<Output>(callId: string, work: () => Promise<Output>): Promise<Output> {
    const turn = this.#enter(callId);
    try {
      return await work();
    } finally {
      this.leave(turn);
    }
  }

  /** The turn of a call that was begun here and has started no step yet. */
  startOf(callId: string): Turn | undefined {
    const turn = this.#open.find((each) => each.callId === callId && !each.started);
    if (turn !== undefined) turn.started = true;
    return turn;
  }

  leave(turn: Turn): void {
    turn.pass();
    this.#open = this.#open.filter((each) => each !== turn);
  }

  #enter(callId: string): Turn {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    const turn: Turn = { callId, before, pass: resolve, started: false };
    this.#last = before.then(() => promise);
    this.#open.push(turn);
    return turn;
  }
}

/** Engines limit the names of steps, Cloudflare to 256. A hash keeps cut ids unique. */
const maxCharacters = 120;

/** Makes ids unique in a run, since models may repeat them: the second `model` is `model#2`. */
export class StepIds {
  readonly #used = new Map<string, number>();

  next(wanted: string): string {
    const id = wanted.length <= maxCharacters ? wanted : `${wanted.slice(0, maxCharacters - 24)}~${hashText(wanted)}`;
    const count = (this.#used.get(id) ?? 0) + 1;
    this.#used.set(id, count);
    return count === 1 ? id : this.next(`${id}#${count}`);
  }
}
