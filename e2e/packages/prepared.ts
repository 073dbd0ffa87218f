import { inject } from 'vitest';
import type { PackedPackage } from '../../tools/pack-packages.ts';

/** What `prepare.ts` made before the tests of this folder, for all of them. */
export interface Prepared {
  /** A folder for what the tests make; removed after the run. */
  readonly directory: string;
  /** Every published package, packed. */
  readonly packages: readonly PackedPackage[];
  /** The `node_modules` that holds package managers and runtimes. */
  readonly tools: string;
  /** A project that has all packages, all their peers, all bundlers and compilers; installed by pnpm. */
  readonly project: string;
  /** Environment of commands in clean projects. */
  readonly environment: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  interface ProvidedContext {
    prepared: Prepared | { readonly failure: string };
  }
}

/**
 * What was prepared.
 *
 * @throws {Error} with the reason, where preparing failed
 */
export function prepared(): Prepared {
  const outcome = inject('prepared');
  if ('failure' in outcome) throw new Error(`The packages could not be prepared. ${outcome.failure}`);
  return outcome;
}
