import type { CondensedSkill } from './condense-skill.ts';
import type { ParsedQuery } from './parse-query.ts';
import { explainScore, scoreSegments, type TermScore } from './score-segments.ts';
import { buildSegment, segmentSize, skillsOfSegment, type Segment } from './segment.ts';

/** What the index stores of a skill. `isGone`, set by the owner, hides it until the next sweep. */
export interface IndexedEntry {
  readonly name: string;
  isGone: boolean;
}

/** A search hit. */
export interface IndexHit<Entry> {
  readonly entry: Entry;
  readonly score: number;
  /** Each term's part of the score, computed on demand. */
  readonly explain: () => TermScore[];
}

interface Held<Entry> {
  readonly segment: Segment;
  readonly entries: readonly Entry[];
}

/** How many segments may be small before two of them are merged. */
const mostSmall = 8;

/**
 * The inverted index of a library, in segments. Adding and sweeping wait for `rest` every
 * millisecond or two, so that other work can run in between. Search results are correct all the
 * time.
 */
export class SkillIndex<Entry extends IndexedEntry> {
  #held: readonly Held<Entry>[] = [];

  /** The skills that are not gone. */
  *entries(): Generator<Entry> {
    for (const { entries } of this.#held) for (const entry of entries) if (!entry.isGone) yield entry;
  }

  /** Size of its arrays in bytes. */
  get bytes(): number {
    return this.#held.reduce(
      (sum, { segment }) => sum + segment.hashes.byteLength + segment.offsets.byteLength + segment.postings.byteLength,
      0,
    );
  }

  /**
   * Adds up to {@link segmentSize} skills as one segment.
   *
   * @param onBuilt is called right before they can be found, with what may have changed meanwhile
   */
  async add(
    added: readonly { readonly entry: Entry; readonly skill: CondensedSkill }[],
    rest: () => Promise<void>,
    onBuilt: () => void = () => {},
  ): Promise<void> {
    if (added.length === 0) return;
    const segment = await buildSegment(
      added.map(({ skill }) => skill),
      rest,
    );
    onBuilt();
    this.install(
      segment,
      added.map(({ entry }) => entry),
    );
  }

  /** Adds a prebuilt segment. */
  install(segment: Segment, entries: readonly Entry[]): void {
    this.#held = [...this.#held, { segment, entries }];
  }

  /** Returns the segments without gone skills, for writing. Sweep first. */
  segments(): readonly Held<Entry>[] {
    return this.#held;
  }

  /**
   * Takes one step of cleanup: removes gone skills, merges small segments. `false` if nothing is
   * left.
   */
  async sweep(rest: () => Promise<void>): Promise<boolean> {
    const isDirty = ({ entries }: Held<Entry>) => entries.some(({ isGone }) => isGone);
    const small = this.#held.filter(({ segment }) => segment.size <= segmentSize / 2).sort((a, b) => a.segment.size - b.segment.size);
    const dirty = this.#held.find(isDirty);
    const old = dirty !== undefined ? [dirty] : small.length > mostSmall ? small.slice(0, 2) : [];
    if (old.length === 0) return false;
    const kept = old.flatMap(({ segment, entries }) => {
      const skills = entries.every(({ isGone }) => isGone) ? [] : skillsOfSegment(segment);
      return skills.flatMap((skill, place) => (entries[place]?.isGone === false ? [{ entry: entries[place], skill }] : []));
    });
    await rest();
    const segment =
      kept.length === 0
        ? null
        : await buildSegment(
            kept.map(({ skill }) => skill),
            rest,
          );
    // Somebody else may have swept the same meanwhile.
    if (!old.every((held) => this.#held.includes(held))) return true;
    this.#held = this.#held.filter((held) => !old.includes(held));
    if (segment !== null)
      this.install(
        segment,
        kept.map(({ entry }) => entry),
      );
    return true;
  }

  /**
   * Finds the best accepted skills; ties by name. Rarity counts accepted skills alone, to leak
   * nothing.
   */
  search(query: ParsedQuery, limit: number, accepts: (entry: Entry) => boolean): IndexHit<Entry>[] {
    const masks = this.#held.map(({ entries }) => Uint8Array.from(entries, (entry) => Number(!entry.isGone && accepts(entry))));
    const { scores, terms } = scoreSegments(
      this.#held.map(({ segment }) => segment),
      query,
      { accepted: masks },
    );
    const best = new BestHits<Entry>(limit);
    for (const [index, { segment, entries }] of this.#held.entries()) {
      const scoresHere = scores[index] ?? new Float32Array();
      for (let place = 0; place < scoresHere.length; place += 1) {
        const score = scoresHere[place] as number;
        if (score <= 0 || score < best.least) continue;
        const entry = entries[place];
        if (entry === undefined || masks[index]?.[place] !== 1 || !best.wants(score, entry.name)) continue;
        best.add({ entry, score, explain: () => explainScore(segment, index, place, terms) });
      }
    }
    return best.sorted();
  }
}

/** The best hits so far. Worse ones are dropped in bulk. */
class BestHits<Entry extends IndexedEntry> {
  readonly #limit: number;
  #hits: IndexHit<Entry>[] = [];
  #worst: IndexHit<Entry> | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Lower scores are not needed. */
  get least(): number {
    return this.#worst?.score ?? 0;
  }

  wants(score: number, name: string): boolean {
    const worst = this.#worst;
    return worst === undefined || score > worst.score || (score === worst.score && name < worst.entry.name);
  }

  add(hit: IndexHit<Entry>): void {
    this.#hits.push(hit);
    if (this.#hits.length < this.#limit * 2) return;
    this.#hits = this.sorted();
    this.#worst = this.#hits.at(-1);
  }

  sorted(): IndexHit<Entry>[] {
    return this.#hits.sort((a, b) => b.score - a.score || (a.entry.name < b.entry.name ? -1 : 1)).slice(0, this.#limit);
  }
}
