import type { SkillCallOptions } from '@repertoire/skills-core/provider';

/** Options of `prime`. */
export interface PrimeOptions extends SkillCallOptions {
  /**
   * Called with the number of skills read so far, and of all. Errors that it throws are ignored.
   */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}
