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

/** What {@link libraryIndex} needs to know. */
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

/** An index that is kept in sync with a provider. */
export interface LibraryIndex {
  readonly index: SkillIndex<LibraryEntry>;
  /** The skills of the last listing, by {@link entryKey}. */
  readonly entries: ReadonlyMap<string, LibraryEntry>;
  /** Whether the source was listed once. */
  readonly isListed: boolean;
  /** Number of skills whose body is still to be read, without those that failed. */
  readonly due: number;
  /** Number of skills whose body could not be read. The next update tries again. */
  readonly unread: number;
  readonly diagnostics: readonly SkillDiagnostic[];
  /**
   * @param rereads whether to read again the bodies of skills without version and digest, which can
   *   change unnoticed
   * @param onListed called when level 1 of all skills is indexed
   */
  update(rereads: boolean, signal: AbortSignal | undefined, onListed: () => void): Promise<void>;
  /** Returns the index as bytes, with the skills whose bodies were read or are not needed. */
  write(): Uint8Array<ArrayBuffer>;
}

interface Waiting {
  readonly entry: LibraryEntry;
  readonly skill: ReturnType<Condenser['condense']>;
}

/** Indexing fewer skills is too little work to yield for. */
const restsFrom = 32;

/**
 * Keeps an index in sync with a provider. It reads only what is new or changed. After an update
 * that was aborted, failed or ran twice concurrently, search results are still correct; the next
 * update completes it.
 */
export function libraryIndex({
  provider,
  readsBody,
  readsReferences,
  digestOf,
  concurrency,
  readTimeoutMs,
  prebuilt,
  prebuiltDigest,
  languages,
}: LibraryIndexSettings): LibraryIndex {
  const index = new SkillIndex<LibraryEntry>();
  const reader = new LibraryReader(provider);
  const condenser = new Condenser(languages);
  const entries = new Map<string, LibraryEntry>();
  const unread = new Map<string, SkillDiagnostic>();
  let ofIndex: SkillDiagnostic | null = null;
  let ofListing: SkillDiagnostic | null = null;
  /** Used by each search, so it is cached until something is listed or read. */
  let due: number | null = null;
  let [isListed, isFiled] = [false, false];

  /** Whether something of a skill that should be searched is not indexed yet. */
  const lacksText = ({ skill, bodyMark }: LibraryEntry): boolean =>
    bodyMark === null || (readsReferences(skill) && !coversReferences(bodyMark));

  /**
   * Whether the entry is newer than what is known: another update may have been faster, or the
   * skill may have changed since it was read.
   */
  function isNews({ name, mark, bodyMark }: LibraryEntry): boolean {
    const known = entries.get(name);
    return bodyMark === null ? known?.mark !== mark : known?.mark === mark && known.bodyMark !== bodyMark;
  }

  /** Adopts what was just indexed, unless something newer came meanwhile. */
  function adopt(entry: LibraryEntry): void {
    entry.isGone = !isNews(entry);
    if (entry.isGone) return;
    const known = entries.get(entry.name);
    if (known !== undefined) {
      known.isGone = true;
      if (entry.bodyMark !== null) entry.skill = known.skill;
    }
    entries.set(entry.name, entry);
    due = null;
  }

  function tellUnread({ name: key, skill: { name: skill } }: LibraryEntry, why: string): void {
    unread.set(key, { ...searchDiagnostic('search-skill-unread', `Skill "${skill}" could not be read: ${why}`), skill });
    due = null;
  }

  async function update(rereads: boolean, signal: AbortSignal | undefined, onListed: () => void): Promise<void> {
    const pace = new Pace();
    const filed = await installPrebuilt(pace, signal);
    // Every version, because a session may see an older one only.
    const listing = await readListing(provider, { signal });
    const { changed, gone } = await compare(listing.skills);
    if (filed && changed + gone > 0) {
      const what = `${changed} of ${listing.skills.length} skills are not in it as they are listed, and ${gone} that it has are not listed`;
      ofIndex = searchDiagnostic('search-index-stale', `The search index is of another state of the library: ${what}. Write it anew.`);
    }
    ofListing = listing.complete
      ? null
      : searchDiagnostic('search-listing-incomplete', `Source "${provider.label}" did not list everything.`);
    isListed = true;
    onListed();
    await readBodies();
    await sweep();

    /** Finds new, changed and removed skills, and indexes level 1 of the new ones at once. */
    async function compare(skills: readonly SkillMetadata[]): Promise<{ readonly changed: number; readonly gone: number }> {
      const listed = new Set<string>();
      const found = { changed: 0, gone: 0 };
      let waiting: Waiting[] = [];
      for (const [rank, skill] of skills.entries()) {
        const key = entryKey(skill);
        listed.add(key);
        const digest = digestOf(skill);
        const mark = skillMark(skill, digest);
        const known = entries.get(key);
        if (known !== undefined) known.rank = rank;
        if (known?.mark === mark) {
          known.skill = skill;
          const isUnmarked = digest === undefined && skill.version === null;
          const lacks = lacksText(known);
          if (readsBody(skill) && (lacks || (rereads && isUnmarked))) known.isDue = true;
          // An index that was written without references.
          if (known.isDue && lacks && known.bodyMark !== null) found.changed += 1;
        } else {
          found.changed += 1;
          const entry: LibraryEntry = { name: key, skill, rank, mark, bodyMark: null, isGone: false, isDue: readsBody(skill) };
          waiting.push({ entry, skill: condenser.condense(skillText(skill, '')) });
          if (waiting.length === segmentSize) {
            await flush(waiting);
            waiting = [];
          }
        }
        // The description is read twice: for the mark and for the terms.
        await pace.spend(skill.description.length * 4 + 1_024);
      }
      await flush(waiting);
      for (const entry of entries.values()) {
        if (listed.has(entry.name)) continue;
        found.gone += 1;
        entry.isGone = true;
        reader.references.forget(entry.name);
        entries.delete(entry.name);
      }
      for (const name of unread.keys()) if (!listed.has(name)) unread.delete(name);
      due = null;
      await sweep();
      return found;
    }

    async function readBodies(): Promise<void> {
      let waiting: Waiting[] = [];
      const readOne = async (entry: LibraryEntry): Promise<void> => {
        const read = await readText(entry, signal);
        if (read === null) return;
        const { body, references } = read;
        await pace.spend(Math.min(body.length, longestText.body) + (references?.length ?? 0));
        const bodyMark = bodyMarkOf(body.slice(0, longestText.body), references);
        const isDue = read.failure !== undefined;
        if (bodyMark === entry.bodyMark) entry.isDue = isDue;
        else
          waiting.push({
            entry: { ...entry, bodyMark, isDue },
            skill: condenser.condense(skillText(entry.skill, body, references ?? '')),
          });
        if (waiting.length < segmentSize) return;
        const full = waiting;
        waiting = [];
        await flush(full);
      };
      try {
        const wanted = [...entries.values()].filter(({ isDue }) => isDue);
        await forEachBounded(wanted, concurrency, readOne, signal);
      } finally {
        // Skills that were read before an abort are kept.
        await flush(waiting);
      }
    }

    /** Adds condensed skills to the index, replacing those with the same names. */
    async function flush(waiting: readonly Waiting[]): Promise<void> {
      if (waiting.length === 0) return;
      const rest = waiting.length > restsFrom ? () => pace.rest() : async () => {};
      await rest();
      const current = waiting.filter(({ entry }) => isNews(entry));
      await index.add(current, rest, () => {
        for (const { entry } of current) adopt(entry);
      });
      await rest();
      await sweep();
    }

    async function sweep(): Promise<void> {
      while (await index.sweep(() => pace.rest())) await pace.rest();
    }
  }

  /** Installs a prebuilt index. The comparison afterwards shows which skills are still current. */
  async function installPrebuilt(pace: Pace, signal: AbortSignal | undefined): Promise<boolean> {
    if (prebuilt === undefined || isFiled) return false;
    isFiled = true;
    try {
      const bytes = typeof prebuilt === 'function' ? await prebuilt({ signal }) : prebuilt;
      if (bytes === null) return false;
      if (prebuiltDigest !== undefined && (await sha256Hex(bytes)) !== prebuiltDigest)
        throw new SkillError(
          'digest-mismatch',
          'The search index is not the one that was told: its SHA-256 is another. Get it again from where it was published.',
        );
      for (const { segment, skills } of readIndexFile(bytes, languages)) {
        const filed = skills.map(({ name, mark, bodyMark }): LibraryEntry => {
          const skill = { name, version: null, description: '' };
          const isGone = entries.has(name);
          const entry = { name, mark, bodyMark: bodyMark === '' ? null : bodyMark, skill, rank: 0, isGone, isDue: false };
          if (!isGone) entries.set(name, entry);
          return entry;
        });
        index.install(segment, filed);
        await pace.spend(segment.postings.length + segment.hashes.length);
      }
      return true;
    } catch (error) {
      if (signal?.aborted === true) {
        // The next update installs it.
        isFiled = false;
        signal.throwIfAborted();
      }
      for (const entry of entries.values()) entry.isGone = true;
      entries.clear();
      ofIndex = searchDiagnostic('search-index-unusable', messageOf(error));
      return false;
    }
  }

  async function readText(entry: LibraryEntry, signal: AbortSignal | undefined): Promise<ReadSkill | null> {
    try {
      const withReferences = readsReferences(entry.skill);
      const read = await withTimeout(readTimeoutMs, signal, async (either) => await reader.read(entry.skill, withReferences, either));
      const failure = read === null ? 'the source lists it and does not have it' : read.failure;
      if (failure === undefined) unread.delete(entry.name);
      else tellUnread(entry, failure);
      return read;
    } catch (error) {
      signal?.throwIfAborted();
      tellUnread(entry, messageOf(error));
      return null;
    }
  }

  return {
    index,
    entries,
    get isListed() {
      return isListed;
    },
    get due() {
      if (due === null) {
        due = 0;
        for (const entry of entries.values()) if (entry.isDue && lacksText(entry) && !unread.has(entry.name)) due += 1;
      }
      return due;
    },
    get unread() {
      return unread.size;
    },
    get diagnostics() {
      const { cut } = reader.references;
      const { fileBytes, skillFiles, skillBytes, bytes } = referenceLimits;
      const limits = `at most ${fileBytes} bytes of a file, ${skillFiles} files and ${skillBytes} bytes of a skill, and ${bytes} bytes in all are read`;
      const ofReferences =
        cut === 0 ? null : searchDiagnostic('search-references-cut', `Some references of ${cut} skills are not searched: ${limits}.`);
      return [ofIndex, ofListing, ofReferences, ...unread.values()].filter((diagnostic) => diagnostic !== null);
    },
    update,
    write() {
      const held = index.segments().filter((each) => each.entries.every(({ isGone }) => !isGone));
      const filed = held.map((each) => ({
        segment: each.segment,
        skills: each.entries.map(({ name, mark, bodyMark }) => ({ name, mark, bodyMark: bodyMark ?? '' })),
      }));
      return writeIndexFile(filed, languages);
    },
  };
}
