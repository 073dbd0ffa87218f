import { isRunUnit, splitWords } from './split-words.ts';
import type { SearchLanguage } from '../languages/search-language.ts';
import { stopWords } from './stop-words.ts';
import { stemOf, termHash } from './term-hash.ts';

const longestRemembered = 40;
const firstSlots = 1_024;

/**
 * Converts texts to terms, numbered from 0.
 *
 * Almost every word of a library occurred before. So a run of letters is not cut out of its text,
 * but looked up by 64 bits of its characters, in a custom table that takes a third of the time of a
 * `Map` of strings. Splitting, stemming and stop words only apply to new runs.
 */
export class Vocabulary {
  /** The word of a term: its shortest form. */
  readonly words: string[] = [];
  /** The hash of a term's stem. */
  readonly hashes: number[] = [];
  readonly #byStem: Map<string, number> = new Map();
  #low: Uint32Array = new Uint32Array(firstSlots);
  #high: Uint32Array = new Uint32Array(firstSlots);
  /** Content of a slot: 0 if empty, otherwise the index in `#runs` plus one. */
  #slots: Uint32Array = new Uint32Array(firstSlots);
  /** The terms of a run. */
  #runs: (readonly number[])[] = [];

  readonly #stem: (word: string) => string | null;

  /** @param language whose stems the words have. @default English */
  constructor(language?: Pick<SearchLanguage, 'stem'>) {
    this.#stem = language?.stem ?? ((word) => (stopWords.has(word) ? null : stemOf(word)));
  }

  /** Number of cached runs. If it grows too large, start a new vocabulary. */
  get size(): number {
    return this.#runs.length;
  }

  /**
   * Calls `each` with every term of the text, in order, without stop words.
   *
   * @param singles whether single characters of scripts without spaces are terms in addition to
   *   pairs
   */
  read(text: string, singles: boolean, each: (term: number) => void): void {
    const seed = singles ? 0x2545f491 : 0x811c9dc5;
    for (let start = 0; start < text.length; start += 1) {
      let unit = text.charCodeAt(start);
      if (!isRunUnit(unit)) continue;
      let low = seed;
      let high = 0x9e3779b9;
      let end = start;
      do {
        low = Math.imul(low ^ unit, 0x01000193);
        high = Math.imul(high ^ unit, 0x85ebca6b) ^ (high >>> 15);
        end += 1;
        unit = end < text.length ? text.charCodeAt(end) : 0;
      } while (isRunUnit(unit));
      const terms =
        end - start > longestRemembered
          ? this.#termsOf(text.slice(start, end), singles)
          : this.#lookUp(low >>> 0, high >>> 0, text, start, end, singles);
      for (const term of terms) each(term);
      start = end;
    }
  }

  #lookUp(low: number, high: number, text: string, start: number, end: number, singles: boolean): readonly number[] {
    let slot = this.#slotOf(low, high);
    const held = this.#slots[slot] as number;
    if (held !== 0) return this.#runs[held - 1] as readonly number[];
    const terms = this.#termsOf(text.slice(start, end), singles);
    if (this.#runs.length * 2 >= this.#slots.length) {
      this.#grow();
      slot = this.#slotOf(low, high);
    }
    this.#runs.push(terms);
    this.#low[slot] = low;
    this.#high[slot] = high;
    this.#slots[slot] = this.#runs.length;
    return terms;
  }

  /** Returns the slot with these bits, or the empty slot where they belong. */
  #slotOf(low: number, high: number): number {
    const mask = this.#slots.length - 1;
    let slot = (low ^ (low >>> 15)) & mask;
    while (this.#slots[slot] !== 0 && (this.#low[slot] !== low || this.#high[slot] !== high)) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [lows, highs, slots] = [this.#low, this.#high, this.#slots];
    const length = slots.length * 2;
    this.#low = new Uint32Array(length);
    this.#high = new Uint32Array(length);
    this.#slots = new Uint32Array(length);
    for (const [old, held] of slots.entries()) {
      if (held === 0) continue;
      const slot = this.#slotOf(lows[old] as number, highs[old] as number);
      this.#low[slot] = lows[old] as number;
      this.#high[slot] = highs[old] as number;
      this.#slots[slot] = held;
    }
  }

  #termsOf(run: string, singles: boolean): readonly number[] {
    return splitWords(run, singles).flatMap((word) => {
      const stem = this.#stem(word);
      return stem === null ? [] : [this.#termOf(word, stem)];
    });
  }

  #termOf(word: string, stem: string): number {
    const known = this.#byStem.get(stem);
    if (known === undefined) {
      this.#byStem.set(stem, this.words.length);
      this.hashes.push(termHash(stem));
      return this.words.push(word) - 1;
    }
    if (word.length < (this.words[known] ?? '').length) this.words[known] = word;
    return known;
  }
}
