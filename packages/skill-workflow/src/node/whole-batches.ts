import type { PGlite } from '@electric-sql/pglite';

/** Sync and Query end a batch of messages; the others belong to one that goes on. */
const endsBatch: ReadonlySet<number> = new Set(['S', 'Q'].map((letter) => letter.charCodeAt(0)));
const insideBatch: ReadonlySet<number> = new Set(['P', 'B', 'D', 'E', 'C', 'H'].map((letter) => letter.charCodeAt(0)));

/**
 * A database that calls itself busy until a batch of messages has ended. The server in front of it
 * (pglite-socket 0.2.17) stays with one connection during a transaction, and mixes the messages of
 * several otherwise: two queries at once then read each other's statements
 * (`portal "" cannot be run`). See https://github.com/electric-sql/pglite/issues/1046.
 */
export function wholeBatches(db: PGlite): PGlite {
  let isOpen = false;
  return withMethods(db, {
    isInTransaction: () => isOpen || db.isInTransaction(),
    async execProtocolRawStream(...[message, options]: Parameters<PGlite['execProtocolRawStream']>) {
      try {
        await db.execProtocolRawStream(message, options);
      } finally {
        const [kind = 0] = message;
        if (insideBatch.has(kind)) isOpen = true;
        else if (endsBatch.has(kind)) isOpen = false;
      }
    },
    // The server does that when a connection goes away in the middle.
    async exec(...given: Parameters<PGlite['exec']>) {
      isOpen = false;
      return await db.exec(...given);
    },
  });
}

/**
 * Returns the same object with some of its methods replaced. The others stay bound to it, as
 * private fields need.
 */
function withMethods<Target extends object>(target: Target, changed: Partial<Target>): Target {
  return new Proxy(target, {
    get(own, key) {
      if (Object.hasOwn(changed, key)) return changed[key as keyof Target];
      const value: unknown = Reflect.get(own, key, own);
      return typeof value === 'function' ? (value.bind(own) as unknown) : value;
    },
  });
}
