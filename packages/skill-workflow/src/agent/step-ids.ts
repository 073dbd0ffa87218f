import { fingerprint } from '@repertoire/skills-core/state';

/** Engines bound the names of steps, Cloudflare at 256 characters. What is said here is for people, so it is cut and told apart by a fingerprint. */
const maxCharacters = 120;

/**
 * Ids that are unique in a run and the same in every run: the second `model` is `model#2`. Models have been seen to use the id of a call twice; its second call must not
 * be taken for the first.
 */
export class StepIds {
  readonly #used = new Map<string, number>();

  next(wanted: string): string {
    const id = wanted.length <= maxCharacters ? wanted : `${wanted.slice(0, maxCharacters - 20)}~${fingerprint(wanted)}`;
    const count = (this.#used.get(id) ?? 0) + 1;
    this.#used.set(id, count);
    return count === 1 ? id : this.next(`${id}#${count}`);
  }
}
