import { hashText } from '@repertoire/skills-core/internal';

/** Engines limit the names of steps, Cloudflare to 256. A hash keeps cut ids unique. */
const maxCharacters = 120;

/** Makes ids unique in a run, since models may repeat them: the second `model` is `model#2`. */
export class StepIds {
  readonly #used = new Map<string, number>();

  next(wanted: string): string {
    const id = wanted.length <= maxCharacters ? wanted : `${wanted.slice(0, maxCharacters - 24)}~${hashText(wanted)}`;
    const count = (this.#used.get(id) ?? 0) + 1;
    this.#used.set(id, count);
    return count === 1 ? id : this.next(`${id}#${count}`);
  }
}
