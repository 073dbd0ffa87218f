import type { Closable, ServerConnection } from './server-connection.ts';

/** A connection, with what its owner remembers of it. */
export interface HeldConnection {
  readonly connection: ServerConnection<Closable>;
}

/**
 * Connections by their holder, which is a conversation or an agent: two never share one. Skills of
 * a holder may share one, and it is released when none of them is loaded.
 */
export class HeldConnections<Held extends HeldConnection> {
  readonly #held = new Map<string, { readonly holder: string; readonly skills: Set<string>; readonly held: Held }>();
  readonly #closing = new Set<Promise<unknown>>();

  /** Returns the connection of this key, and makes one if there is none. */
  hold(holder: string, skill: string, key: string, make: () => Held): Held {
    const place = placeOf(holder, key);
    const there = this.#held.get(place) ?? { holder, skills: new Set<string>(), held: make() };
    this.#held.set(place, there);
    there.skills.add(skill);
    return there.held;
  }

  /** Returns the connections of a holder. */
  of(holder: string): Held[] {
    return [...this.#held.values()].flatMap((one) => (one.holder === holder ? [one.held] : []));
  }

  /**
   * Releases what only this skill of the holder uses, or everything of the holder.
   *
   * @param key only this connection
   */
  async release(holder: string, skill?: string, key?: string): Promise<void> {
    const place = key === undefined ? undefined : placeOf(holder, key);
    await this.#releaseWhere((one, at) => one.holder === holder && (place ?? at) === at, skill);
  }

  /** Releases everything, and waits for what is being closed. */
  async releaseAll(): Promise<void> {
    await this.#releaseWhere(() => true);
    await Promise.allSettled(this.#closing);
  }

  async #releaseWhere(isMeant: (one: { readonly holder: string }, place: string) => boolean, skill?: string): Promise<void> {
    const releasing: Promise<void>[] = [];
    for (const [place, one] of this.#held) {
      if (!isMeant(one, place) || (skill !== undefined && !one.skills.delete(skill))) continue;
      if (skill !== undefined && one.skills.size > 0) continue;
      this.#held.delete(place);
      releasing.push(one.held.connection.release());
    }
    const closing = Promise.all(releasing).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    await closing;
  }
}

function placeOf(holder: string, key: string): string {
  return JSON.stringify([holder, key]);
}
