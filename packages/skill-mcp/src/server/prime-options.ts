import type { SkillCallOptions } from '@repertoire/skills-core/provider';

/** Options of `prime`. */
export interface PrimeOptions extends SkillCallOptions {
  /** Called with the skills read so far, and all. Its errors are ignored. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}
