import type * as nodeCrypto from 'node:crypto';

/** What hashes. */
export type Hashing = Pick<typeof nodeCrypto, 'hash' | 'createHash'>;

let loaded: Hashing | undefined;

/**
 * Loads `node:crypto`. That takes as long as listing a hundred skills, and whoever only lists needs
 * none of it.
 */
export async function loadHashing(): Promise<Hashing> {
  loaded ??= await import('node:crypto');
  return loaded;
}
