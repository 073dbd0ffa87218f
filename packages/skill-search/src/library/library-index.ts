import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { messageOf, Pace } from '@repertoire/skills-core/internal';
import { forEachBounded, readListing, sha256Hex } from '@repertoire/skills-core/provider';
import { Condenser } from '../index-data/condense-skill.ts';
import { readIndexFile, writeIndexFile } from '../index-data/index-file.ts';
import { segmentSize } from '../index-data/segment.ts';
import { SkillIndex } from '../index-data/skill-index.ts';
import { searchDiagnostic } from '../search/search-diagnostic.ts';
import type { SkillSearchOptions } from '../search/skill-search-options.ts';
import type { SearchLanguage } from '../languages/search-language.ts';
import { longestText, skillText } from '../text/skill-text.ts';
import { bodyMarkOf, coversReferences, entryKey, skillMark, type LibraryEntry } from './library-entry.ts';
import { LibraryReader, type ReadSkill } from './library-reader.ts';
import { referenceLimits } from './reference-reader.ts';
import { withTimeout } from './with-timeout.ts';

/** What {@link LibraryIndex} needs to know. */
export interface LibraryIndexSettings {
  readonly provider: SkillProvider;
  readonly readsBody: (skill: SkillMetadata) => boolean;
  readonly readsReferences: (skill: SkillMetadata) => boolean;
  readonly digestOf: (skill: SkillMetadata) => string | undefined;
  readonly concurrency: number;
  readonly readTimeoutMs: number;
  readonly prebuilt: SkillSearchOptions['index'];
  readonly prebuiltDigest: string | undefined;
  readonly languages: readonly SearchLanguage[];
}

interface Difference {
  readonly changed: number;
  readonly gone: number;
}

/** Indexing fewer skills is too little work to yield for. */
const restsFrom = 32;

interface Waiting {
  readonly entry: LibraryEntry;
  readonly skill: ReturnType<Condenser['condense']>;
}

/**
 * Keeps an index in sync with a provider. It reads only what is new or changed. After an update
 * that was aborted, failed or ran twice concurrently, search results are still correct; the next
 * update completes it.
 */
export class LibraryIndex {
  readonly index: SkillIndex<LibraryEntry> = new SkillIndex();
  readonly #settings: LibraryIndexSettings;
  readonly #reader: LibraryReader;
  readonly #condenser: Condenser;
  readonly #entries: Map<string, LibraryEntry> = new Map();
  readonly #unread: Map<string, SkillDiagnostic> = new Map();
  #ofIndex: SkillDiagnostic | null = null;
  #ofListing: SkillDiagnostic | null = null;
  #due: number | null = null;
  #isListed = false;
  #isFiled = false;

  constructor(settings: LibraryIndexSettings) {
    this.#settings = settings;
    this.#condenser = new Condenser(settings.languages);
    this.#reader = new LibraryReader(settings.provider);
  }

  /** Whether the source was listed once. */
  get isListed(): boolean {
    return this.#isListed;
  }

  /** The skills of the last listing, by {@link entryKey}. */
  get entries(): ReadonlyMap<string, LibraryEntry> {
    return this.#entries;
  }

  /** Number of skills whose body is still to be read, without those that failed. */
  get due(): number {
    // Used by each search, so it is cached until something is listed or read.
    if (this.#due === null) {
      this.#due = 0;
      for (const entry of this.#entries.values())
        if (entry.isDue && this.#lacksText(entry) && !this.#unread.has(entry.name)) this.#due += 1;
    }
    return this.#due;
  }

  /** Number of skills whose body could not be read. The next update tries again. */
  get unread(): number {
    return this.#unread.size;
  }

  get diagnostics(): readonly SkillDiagnostic[] {
    const { cut } = this.#reader.references;
    const { fileBytes, skillFiles, skillBytes, bytes } = referenceLimits;
    const ofReferences =
      cut === 0
        ? null
        : searchDiagnostic(
            'search-references-cut',
            `Some references of ${cut} skills are not searched: at most ${fileBytes} bytes of a file, ${skillFiles} files and ${skillBytes} bytes of a skill, and ${bytes} bytes in all are read.`,
          );
    return [this.#ofIndex, this.#ofListing, ofReferences, ...this.#unread.values()].filter((diagnostic) => diagnostic !== null);
  }

  /** Whether something of a skill that should be searched is not indexed yet. */
  #lacksText({ skill, bodyMark }: LibraryEntry): boolean {
    return bodyMark === null || (this.#settings.readsReferences(skill) && !coversReferences(bodyMark));
  }

  /**
   * @param rereads whether to read again the bodies of skills without version and digest, which can
   *   change unnoticed
   * @param onListed called when level 1 of all skills is indexed
   */
  async update(rereads: boolean, signal: AbortSignal | undefined, onListed: () => void): Promise<void> {
    const pace = new Pace();
    const filed = await this.#installPrebuilt(pace, signal);
    // Every version, because a session may see an older one only.
    const listing = await readListing(this.#settings.provider, { signal });
    const difference = await this.#compare(listing.skills, rereads, pace);
    if (filed) this.#tellStale(difference, listing.skills.length);
    this.#ofListing = listing.complete
      ? null
      : searchDiagnostic('search-listing-incomplete', `Source "${this.#settings.provider.label}" did not list everything.`);
    this.#isListed = true;
    onListed();
    await this.#readBodies(pace, signal);
    await this.#sweep(pace);
  }

  /** Returns the index as bytes, with the skills whose bodies were read or are not needed. */
  write(): Uint8Array<ArrayBuffer> {
    const held = this.index.segments().filter(({ entries }) => entries.every(({ isGone }) => !isGone));
    return writeIndexFile(
      held.map(({ segment, entries }) => ({
        segment,
        skills: entries.map(({ name, mark, bodyMark }) => ({ name, mark, bodyMark: bodyMark ?? '' })),
      })),
      this.#settings.languages,
    );
  }

  /** Installs a prebuilt index. The comparison afterwards shows which skills are still current. */
  async #installPrebuilt(pace: Pace, signal: AbortSignal | undefined): Promise<boolean> {
    const { prebuilt } = this.#settings;
    if (prebuilt === undefined || this.#isFiled) return false;
    this.#isFiled = true;
    try {
      const bytes = typeof prebuilt === 'function' ? await prebuilt({ signal }) : prebuilt;
      if (bytes === null) return false;
      await this.#checkDigest(bytes);
      for (const { segment, skills } of readIndexFile(bytes, this.#settings.languages)) {
        const entries = skills.map(({ name, mark, bodyMark }): LibraryEntry => {
          const entry = {
            name,
            mark,
            bodyMark: bodyMark === '' ? null : bodyMark,
            skill: { name, version: null, description: '' },
            rank: 0,
            isGone: this.#entries.has(name),
            isDue: false,
          };
          if (!entry.isGone) this.#entries.set(name, entry);
          return entry;
        });
        this.index.install(segment, entries);
        await pace.spend(segment.postings.length + segment.hashes.length);
      }
      return true;
    } catch (error) {
      if (signal?.aborted === true) {
        // The next update installs it.
        this.#isFiled = false;
        signal.throwIfAborted();
      }
      for (const entry of this.#entries.values()) entry.isGone = true;
      this.#entries.clear();
      this.#ofIndex = searchDiagnostic('search-index-unusable', messageOf(error));
      return false;
    }
  }

  async #checkDigest(bytes: Uint8Array): Promise<void> {
    const { prebuiltDigest } = this.#settings;
    if (prebuiltDigest === undefined || (await sha256Hex(bytes)) === prebuiltDigest) return;
    throw new SkillError(
      'digest-mismatch',
      'The search index is not the one that was told: its SHA-256 is another. Get it again from where it was published.',
    );
  }

  #tellStale({ changed, gone }: Difference, listed: number): void {
    if (changed + gone === 0) return;
    const what = `${changed} of ${listed} skills are not in it as they are listed, and ${gone} that it has are not listed`;
    this.#ofIndex = searchDiagnostic('search-index-stale', `The search index is of another state of the library: ${what}. Write it anew.`);
  }

  /** Finds new, changed and removed skills, and indexes level 1 of the new ones at once. */
  async #compare(skills: readonly SkillMetadata[], rereads: boolean, pace: Pace): Promise<Difference> {
    const { digestOf, readsBody } = this.#settings;
    const listed = new Set<string>();
    let [changed, gone] = [0, 0];
    let waiting: Waiting[] = [];
    for (const [rank, skill] of skills.entries()) {
      const key = entryKey(skill);
      listed.add(key);
      const digest = digestOf(skill);
      const mark = skillMark(skill, digest);
      const known = this.#entries.get(key);
      if (known !== undefined) known.rank = rank;
      if (known !== undefined && known.mark === mark) {
        known.skill = skill;
        const isUnmarked = digest === undefined && (skill.version ?? null) === null;
        const lacksText = this.#lacksText(known);
        if (readsBody(skill) && (lacksText || (rereads && isUnmarked))) known.isDue = true;
        // An index that was written without references.
        if (known.isDue && lacksText && known.bodyMark !== null) changed += 1;
      } else {
        changed += 1;
        const entry: LibraryEntry = { name: key, skill, rank, mark, bodyMark: null, isGone: false, isDue: readsBody(skill) };
        waiting.push({ entry, skill: this.#condenser.condense(skillText(skill, '')) });
        if (waiting.length === segmentSize) waiting = await this.#flush(waiting, pace);
      }
      // The description is read twice: for the mark and for the terms.
      await pace.spend(skill.description.length * 4 + 1_024);
    }
    await this.#flush(waiting, pace);
    for (const entry of this.#entries.values()) {
      if (listed.has(entry.name)) continue;
      gone += 1;
      this.#forget(entry);
    }
    for (const name of this.#unread.keys()) if (!listed.has(name)) this.#unread.delete(name);
    this.#due = null;
    await this.#sweep(pace);
    return { changed, gone };
  }

  async #readBodies(pace: Pace, signal: AbortSignal | undefined): Promise<void> {
    const due = [...this.#entries.values()].filter(({ isDue }) => isDue);
    let waiting: Waiting[] = [];
    const readOne = async (entry: LibraryEntry): Promise<void> => {
      const read = await this.#read(entry, signal);
      if (read === null) return;
      const { body, references } = read;
      await pace.spend(Math.min(body.length, longestText.body) + (references?.length ?? 0));
      const bodyMark = bodyMarkOf(body.slice(0, longestText.body), references);
      const isDue = read.failure !== undefined;
      if (bodyMark === entry.bodyMark) entry.isDue = isDue;
      else
        waiting.push({
          entry: { ...entry, bodyMark, isDue },
          skill: this.#condenser.condense(skillText(entry.skill, body, references ?? '')),
        });
      if (waiting.length === segmentSize) {
        const full = waiting;
        waiting = [];
        await this.#flush(full, pace);
      }
    };
    try {
      await forEachBounded(due, this.#settings.concurrency, readOne, signal);
    } finally {
      // Skills that were read before an abort are kept.
      await this.#flush(waiting, pace);
    }
  }

  async #read(entry: LibraryEntry, signal: AbortSignal | undefined): Promise<ReadSkill | null> {
    const { readTimeoutMs, readsReferences } = this.#settings;
    try {
      const withReferences = readsReferences(entry.skill);
      const read = await withTimeout(readTimeoutMs, signal, async (either) => await this.#reader.read(entry.skill, withReferences, either));
      const failure = read === null ? 'the source lists it and does not have it' : read.failure;
      if (failure === undefined) this.#unread.delete(entry.name);
      else this.#tellUnread(entry, failure);
      return read;
    } catch (error) {
      signal?.throwIfAborted();
      this.#tellUnread(entry, messageOf(error));
      return null;
    }
  }

  #tellUnread({ name: key, skill: { name: skill } }: LibraryEntry, why: string): void {
    this.#unread.set(key, { ...searchDiagnostic('search-skill-unread', `Skill "${skill}" could not be read: ${why}`), skill });
    this.#due = null;
  }

  /** Adds condensed skills to the index, replacing those with the same names. */
  async #flush(waiting: readonly Waiting[], pace: Pace): Promise<Waiting[]> {
    if (waiting.length === 0) return [];
    const rest = waiting.length > restsFrom ? () => pace.rest() : async () => {};
    await rest();
    const current = waiting.filter(({ entry }) => this.#isNews(entry));
    await this.index.add(current, rest, () => {
      for (const { entry } of current) this.#adopt(entry);
    });
    await rest();
    await this.#sweep(pace);
    return [];
  }

  /** Adopts what was just indexed, unless something newer came meanwhile. */
  #adopt(entry: LibraryEntry): void {
    if (!this.#isNews(entry)) {
      entry.isGone = true;
      return;
    }
    const known = this.#entries.get(entry.name);
    if (known !== undefined) {
      known.isGone = true;
      if (entry.bodyMark !== null) entry.skill = known.skill;
    }
    this.#entries.set(entry.name, entry);
    this.#due = null;
  }

  /**
   * Whether the entry is newer than what is known: another update may have been faster, or the
   * skill may have changed since it was read.
   */
  #isNews(entry: LibraryEntry): boolean {
    const known = this.#entries.get(entry.name);
    return entry.bodyMark === null ? known?.mark !== entry.mark : known?.mark === entry.mark && known.bodyMark !== entry.bodyMark;
  }

  #forget(entry: LibraryEntry): void {
    entry.isGone = true;
    this.#due = null;
    this.#reader.references.forget(entry.name);
    this.#entries.delete(entry.name);
  }

  async #sweep(pace: Pace): Promise<void> {
    while (await this.index.sweep(() => pace.rest())) await pace.rest();
  }
}
