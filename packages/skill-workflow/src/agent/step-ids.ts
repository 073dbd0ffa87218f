import { hashText } from '@repertoire/skills-core/internal';

/**
 * Engines limit the names of steps, Cloudflare to 256 characters. A longer id is cut; a hash keeps
 * it unique.
 */
const maxCharacters = 120;

/**
 * Makes ids unique in a run, in the same way in every run: the second `model` is `model#2`. Some
 * models use the id of a tool call twice, and the second call must not get the answer of the first.
 */
export class StepIds {
  readonly #used = new Map<string, number>();

  next(wanted: string): string {
    const id = wanted.length <= maxCharacters ? wanted : `${wanted.slice(0, maxCharacters - 24)}~${hashText(wanted)}`;
    const count = (this.#used.get(id) ?? 0) + 1;
    this.#used.set(id, count);
    return count === 1 ? id : this.next(`${id}#${count}`);
  }
}
