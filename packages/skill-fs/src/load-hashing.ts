import type * as nodeCrypto from 'node:crypto';

/** What hashes. */
export type Hashing = Pick<typeof nodeCrypto, 'hash' | 'createHash'>;

let loaded: Hashing | undefined;

/** Loads `node:crypto` late: that takes as long as listing a hundred skills. */
export async function loadHashing(): Promise<Hashing> {
  loaded ??= await import('node:crypto');
  return loaded;
}
