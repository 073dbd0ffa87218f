import type { SkillMetadata } from '@repertoire/skills-core';
import { numberOption, type SkillCandidate } from '@repertoire/skills-core/internal';
import type { SkillSearchAnswer, SkillSearchRequest } from '@repertoire/skills-core/provider';
import type { SkillMeanings } from '../embed/skill-embedder.ts';
import { parseQuery, queryLimits } from '../index-data/parse-query.ts';
import type { IndexHit } from '../index-data/skill-index.ts';
import type { LibraryEntry } from '../library/library-entry.ts';
import { versionOf } from '../library/library-reader.ts';
import { acceptsSkill } from './filter-skills.ts';
import { matchesOf } from './matches-of.ts';
import { searchDiagnostic } from './search-diagnostic.ts';
import type { SearchedLibrary } from './searched-library.ts';

const longestContext = 1_024;
const mostContextWords = 32;
const fusedDepth = 50;

/** The skills that a request finds: by words, and by meaning if the embedder answers. */
export async function findSkills(searched: SearchedLibrary, query: string, request: SkillSearchRequest): Promise<SkillSearchAnswer> {
  const { library, meanings, languages } = searched;
  const limit = numberOption('limit', request.limit, { of: 'search', fallback: 5, least: 1, most: 100, whole: true });
  const diagnostics = await searched.prepare(request.signal);
  const context = parseQuery((request.context ?? '').slice(0, longestContext), languages).words.slice(0, mostContextWords);
  const parsed = { ...parseQuery(query, languages), context };
  if (parsed.cut)
    diagnostics.push(
      searchDiagnostic(
        'search-query-cut',
        `Of a request, ${queryLimits.characters} characters and ${queryLimits.words} different words are read.`,
      ),
    );
  const accepted = newestAccepted(library.entries.values(), acceptsSkill(request, diagnostics));
  const accepts = (entry: LibraryEntry) => accepted.has(entry);
  if (meanings !== undefined && query.trim() !== '') {
    const depth = Math.max(limit, fusedDepth);
    const near = await meanings.find(query.slice(0, queryLimits.characters), library.entries, depth, accepts, request.signal);
    if (!('code' in near)) {
      const candidates = fuse(meanings, library.index.search(parsed, depth, accepts), near).slice(0, limit);
      return { candidates, mode: 'hybrid', partial: searched.isPartial, diagnostics };
    }
    diagnostics.push(near);
  }
  const candidates = library.index.search(parsed, limit, accepts).map((hit) => candidateOf(hit.entry, hit.score, 'words', hit));
  return { candidates, mode: 'words', partial: searched.isPartial, diagnostics };
}

/** The newest accepted version of each name. Each is found by its own words only. */
function newestAccepted(entries: Iterable<LibraryEntry>, accepts: (skill: SkillMetadata) => boolean): ReadonlySet<LibraryEntry> {
  const newest = new Map<string, LibraryEntry>();
  for (const entry of entries) {
    const known = newest.get(entry.skill.name);
    if ((known === undefined || entry.rank < known.rank) && accepts(entry.skill)) newest.set(entry.skill.name, entry);
  }
  return new Set(newest.values());
}

function fuse(meanings: SkillMeanings, hits: readonly IndexHit<LibraryEntry>[], near: readonly LibraryEntry[]): SkillCandidate[] {
  const byName = new Map(hits.map((hit) => [hit.entry.name, hit]));
  const nearNames = near.map(({ name }) => name);
  const entries = new Map([...near, ...hits.map(({ entry }) => entry)].map((entry) => [entry.name, entry]));
  return meanings.fuse([...byName.keys()], nearNames).flatMap(({ item, score }) => {
    const entry = entries.get(item);
    const hit = byName.get(item);
    const by = hit === undefined ? 'meaning' : nearNames.includes(item) ? 'both' : 'words';
    return entry === undefined ? [] : [candidateOf(entry, score, by, hit)];
  });
}

function candidateOf(
  { skill }: LibraryEntry,
  score: number,
  by: SkillCandidate['by'],
  hit: IndexHit<LibraryEntry> | undefined,
): SkillCandidate {
  const { name, description, origin } = skill;
  return {
    name,
    version: versionOf(skill),
    description,
    score,
    by,
    matches: hit === undefined ? [] : matchesOf(hit.explain()),
    origin: origin && { ...origin },
  };
}
