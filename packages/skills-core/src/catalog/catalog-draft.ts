import { shortSummary, type CatalogRow } from './catalog-row.ts';
import type { CatalogWriter } from './render-catalog.ts';

/** A way to write the list. */
export interface CatalogPlan {
  readonly compact: boolean;
  /** The most characters of a description. */
  readonly width: number;
  /** How many of the skills, highest priority first, have a description. */
  readonly described: number;
  /** How many are listed at all. */
  readonly listed: number;
}

/** What stands in the text besides the rows of a draft. */
export interface DraftSurroundings {
  /** Lines that are decided already. */
  readonly fixed: readonly string[];
  /** How many skills the sentence behind the list has room for, at least. */
  readonly reserved: number;
  /** How many more skills there are that are not listed in any case. */
  readonly others: number;
  /** How short descriptions may become. */
  readonly minWidth: number;
}

/** A row as a plan writes it. */
export interface WrittenRow {
  readonly shown: string;
  readonly line: string;
}

/** Widths of descriptions are tried in steps, in characters. */
const widthStep = 4;

/** Finds the best way to write rows in so many characters. Lines are made on demand. */
export class CatalogDraft {
  readonly #rows: readonly CatalogRow[];
  readonly #around: DraftSurroundings;
  readonly #writer: CatalogWriter;
  readonly #written: Map<number, WrittenRow>[];
  /** Characters between two lines. */
  readonly #separator: number;
  readonly #whole: CatalogPlan;

  /** @param rows those with the highest priority first */
  constructor(rows: readonly CatalogRow[], around: DraftSurroundings, writer: CatalogWriter) {
    this.#rows = rows;
    this.#around = around;
    this.#writer = writer;
    this.#written = rows.map(() => new Map());
    const [one, two] = [[''], ['', '']].map((lines) => writer.whole(lines, 0).length);
    this.#separator = (two as number) - (one as number);
    this.#whole = { compact: false, width: Number.POSITIVE_INFINITY, described: rows.length, listed: rows.length };
  }

  /** Everything, with nothing shortened. */
  get whole(): CatalogPlan {
    return this.#whole;
  }

  /** The row at a place, as a plan writes it. */
  write(index: number, { compact, width, described }: CatalogPlan): WrittenRow {
    const row = this.#rows[index] as CatalogRow;
    const known = this.#written[index] as Map<number, WrittenRow>;
    const most = index < described ? Math.min(width, row.texts().summary.length) : -1;
    const key = compact ? most : -3 - most;
    const before = known.get(key);
    if (before !== undefined) return before;
    const shown = most === -1 ? '' : shortSummary(row, most);
    const written = { shown, line: this.#writer.line(row.skill, shown, compact) };
    known.set(key, written);
    return written;
  }

  /**
   * The best plan in at most so many characters: whole, compact, with descriptions of one width,
   * without the descriptions of the last rows, or without the last rows. With no rows at all where
   * nothing fits.
   */
  within(characters: number): CatalogPlan {
    const count = this.#rows.length;
    const { minWidth } = this.#around;
    if (this.fits(this.#whole, characters)) return this.#whole;
    const names: CatalogPlan = { compact: true, width: minWidth, described: 0, listed: count };
    if (!this.fits(names, characters)) {
      return { ...names, listed: greatest(0, count - 1, (listed) => this.fits({ ...names, listed }, characters)) };
    }
    const narrow: CatalogPlan = { ...names, described: count };
    const described = this.#describedWithin(names, characters);
    if (described < count) return { ...narrow, described };
    const longest = this.#rows.reduce((most, row) => Math.max(most, row.texts().summary.length), minWidth);
    const steps = Math.ceil((longest - minWidth) / widthStep);
    const at = (step: number): CatalogPlan => ({ ...narrow, width: Math.min(longest, minWidth + step * widthStep) });
    return at(greatest(0, steps, (step) => this.fits(at(step), characters)));
  }

  /** Whether a plan takes at most so many characters. Stops as soon as it takes more. */
  fits(plan: CatalogPlan, characters: number): boolean {
    let rest = characters - this.#frame(plan);
    for (let index = 0; index < plan.listed; index += 1) {
      if (rest < 0) return false;
      rest -= this.#separator + this.write(index, plan).line.length;
    }
    return rest >= 0;
  }

  /** How many descriptions fit beside all names. */
  #describedWithin(names: CatalogPlan, characters: number): number {
    let rest = characters - this.#frame(names);
    for (const index of this.#rows.keys()) rest -= this.#separator + this.write(index, names).line.length;
    let described = 0;
    const all = { ...names, described: this.#rows.length };
    for (; described < this.#rows.length; described += 1) {
      rest -= this.write(described, all).line.length - this.write(described, names).line.length;
      if (rest < 0) break;
    }
    return described;
  }

  /** Characters of the text around the rows. */
  #frame({ listed }: CatalogPlan): number {
    const { fixed, reserved, others } = this.#around;
    const unlisted = Math.max(reserved, this.#rows.length - listed + others);
    const frame = this.#writer.whole(fixed, unlisted).length;
    // The first line has no separator before it.
    return fixed.length === 0 && listed > 0 ? this.#writer.whole([''], unlisted).length - this.#separator : frame;
  }
}

/** The greatest number up to which something holds; `low` if it holds for none. */
function greatest(low: number, high: number, holds: (value: number) => boolean): number {
  let [least, most] = [low, high];
  while (least < most) {
    const middle = (least + most + 1) >> 1;
    if (holds(middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}
