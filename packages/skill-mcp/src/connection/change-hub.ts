const resourcesChanged = 'notifications/resources/list_changed';

/** A set of listeners that are called together. */
export class Listeners {
  readonly #listeners = new Set<{ readonly call: () => void }>();

  add(call: () => void): () => void {
    const listener = { call };
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(): void {
    for (const { call } of this.#listeners) call();
  }
}

// A client has one handler for each notification, so several providers of one client share it.
const hubs = new WeakMap<object, Listeners>();

/** The listeners of a client. `register` is called once for each client. */
export function changeHub(client: object, register: (method: string, handler: () => void) => void): Listeners {
  const known = hubs.get(client);
  if (known !== undefined) return known;
  const hub = new Listeners();
  hubs.set(client, hub);
  register(resourcesChanged, () => hub.tell());
  return hub;
}
