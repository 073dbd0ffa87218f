import type { SkillCallOptions } from '@repertoire/skills-core';

/** Options of `prime`. */
export interface PrimeOptions extends SkillCallOptions {
  /** Is told how many skills were read, of how many. What it throws is ignored. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}
