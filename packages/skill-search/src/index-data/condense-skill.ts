import { languageOf, type SearchLanguage } from '../languages/search-language.ts';
import type { SkillText } from '../text/skill-text.ts';
import { englishCount } from '../text/stop-words.ts';
import { phraseHash } from '../text/term-hash.ts';
import { Vocabulary } from '../text/vocabulary.ts';
import { fieldCode, skillFields } from './posting.ts';
import type { SkillSearchField } from '@repertoire/skills-core/internal';

/** What the index stores of a skill: hash and strength of each term and phrase, by field. */
export interface CondensedSkill {
  readonly hashes: Uint32Array;
  readonly codes: Uint32Array;
}

const heading = /^#{1,6}\s/;
const fence = /^\s{0,3}(?:```|~~~)/;

/** Counts have eight bits of one number. */
const mostCounted = 127;
const mostRemembered = 65_536;
const shifts: Readonly<Record<Exclude<SkillSearchField, 'references'>, number>> = { name: 0, description: 8, headings: 16, body: 24 };

/** Condenses skills. It keeps the vocabulary, so create one for each library. */
export class Condenser {
  readonly #languages: readonly SearchLanguage[];
  readonly #vocabularies: Map<SearchLanguage | undefined, Vocabulary> = new Map();
  /** That of the language of the current skill. */
  #vocabulary: Vocabulary = new Vocabulary();
  /** Occurrences of each term in the fields of the current skill. All zero between two skills. */
  #counts: Uint32Array = new Uint32Array(4_096);
  #met: number[] = [];

  /**
   * @param languages besides English; each skill is stemmed by the one that its description is in
   */
  constructor(languages: readonly SearchLanguage[] = []) {
    this.#languages = languages;
  }

  /** Condenses one skill. Code blocks are left out: requests do not use their words. */
  condense({ name, description, body, references }: SkillText): CondensedSkill {
    this.#vocabulary = this.#vocabularyOf(languageOf(description, this.#languages, englishCount));
    const lengths: Record<SkillSearchField, number> = { name: 0, description: 0, headings: 0, body: 0, references: 0 };
    const phrases = new Map<number, number>();
    for (const [field, text] of [
      ['name', name],
      ['description', description],
    ] as const) {
      let previous = -1;
      this.#vocabulary.read(text, true, (term) => {
        lengths[field] += 1;
        this.#count(term, shifts[field]);
        if (previous !== -1) {
          const phrase = phraseHash(this.#hashOf(previous), this.#hashOf(term));
          phrases.set(phrase, counted(phrases.get(phrase) ?? 0, shifts[field]));
        }
        previous = term;
      });
    }
    for (const { text, isHeading } of proseOf(body)) {
      this.#vocabulary.read(text, false, (term) => {
        lengths.body += 1;
        this.#count(term, shifts.body);
        if (!isHeading) return;
        lengths.headings += 1;
        this.#count(term, shifts.headings);
      });
    }
    const referenced = new Map<number, number>();
    for (const { text } of proseOf(references)) {
      this.#vocabulary.read(text, false, (term) => {
        lengths.references += 1;
        referenced.set(term, (referenced.get(term) ?? 0) + 1);
      });
    }
    return this.#take(phrases, referenced, lengths);
  }

  #vocabularyOf(language: SearchLanguage | undefined): Vocabulary {
    const known = this.#vocabularies.get(language);
    if (known !== undefined && known.size <= mostRemembered) return known;
    const vocabulary = new Vocabulary(language);
    this.#vocabularies.set(language, vocabulary);
    return vocabulary;
  }

  #hashOf(term: number): number {
    return this.#vocabulary.hashes[term] ?? 0;
  }

  #count(term: number, shift: number): void {
    if (term >= this.#counts.length) {
      const counts = new Uint32Array(Math.max(term + 1, this.#counts.length * 2));
      counts.set(this.#counts);
      this.#counts = counts;
    }
    const packed = this.#counts[term] as number;
    if (packed === 0) this.#met.push(term);
    this.#counts[term] = counted(packed, shift);
  }

  /** Returns the counts as codes and resets them to zero. */
  #take(
    phrases: ReadonlyMap<number, number>,
    referenced: ReadonlyMap<number, number>,
    lengths: Readonly<Record<SkillSearchField, number>>,
  ): CondensedSkill {
    for (const term of referenced.keys()) if (!((this.#counts[term] ?? 0) > 0)) this.#met.push(term);
    const size = this.#met.length + phrases.size;
    const condensed = { hashes: new Uint32Array(size), codes: new Uint32Array(size) };
    let at = 0;
    const add = (hash: number, packed: number, inReferences: number): void => {
      condensed.hashes[at] = hash;
      condensed.codes[at] = codeOf(packed, inReferences, lengths);
      at += 1;
    };
    for (const term of this.#met) {
      add(this.#hashOf(term), this.#counts[term] ?? 0, referenced.get(term) ?? 0);
      if (term < this.#counts.length) this.#counts[term] = 0;
    }
    for (const [hash, packed] of phrases) add(hash, packed, 0);
    this.#met = [];
    return condensed;
  }
}

function counted(packed: number, shift: number): number {
  return ((packed >>> shift) & 0xff) < mostCounted ? packed + 2 ** shift : packed;
}

function codeOf(packed: number, inReferences: number, lengths: Readonly<Record<SkillSearchField, number>>): number {
  let code = 0;
  for (const field of skillFields) {
    const times = field === 'references' ? inReferences : (packed >>> shifts[field]) & 0xff;
    if (times > 0) code |= fieldCode(field, times, lengths[field]);
  }
  return code;
}

/** The headings of a body, and the text between them, without code blocks. */
function* proseOf(body: string): Generator<{ readonly text: string; readonly isHeading: boolean }> {
  let inFence = false;
  let from = 0;
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf('\n', start);
    const end = newline === -1 ? body.length : newline + 1;
    const line = body.slice(start, Math.min(end, start + 16));
    const isFence = fence.test(line);
    const isHeading = !inFence && heading.test(line);
    if (isFence || isHeading) {
      if (!inFence && start > from) yield { text: body.slice(from, start), isHeading: false };
      if (isHeading) yield { text: body.slice(start, end), isHeading: true };
      from = end;
      if (isFence) inFence = !inFence;
    }
    start = end;
  }
  // A fence that is never closed would hide the rest of the skill, so it is treated as text.
  if (from < body.length) yield { text: body.slice(from), isHeading: false };
}
