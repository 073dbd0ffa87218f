import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, Pace, type SkillSearchField, type OptionRules } from '@repertoire/skills-core/internal';
import { Condenser } from '../index-data/condense-skill.ts';
import { parseQuery } from '../index-data/parse-query.ts';
import type { SearchLanguage } from '../languages/search-language.ts';
import { segmentSize } from '../index-data/segment.ts';
import { SkillIndex, type IndexedEntry } from '../index-data/skill-index.ts';
import { skillText } from '../text/skill-text.ts';
import type { AnalyzedSkill } from './analyzed-skill.ts';

/** Why a skill has its score for a request. */
export interface SkillScoreExplanation {
  readonly name: string;
  /** From 1. */
  readonly rank: number;
  /** The score of `search`: the sum of the terms, times `coverage`. */
  readonly score: number;
  /** Factor for words of the request that were not found; 1 if all were found. */
  readonly coverage: number;
  /** The words and pairs of words that were found, in descending order of weight. */
  readonly terms: readonly {
    readonly text: string;
    /** Whether it is a pair of neighboring words. */
    readonly isPhrase: boolean;
    readonly score: number;
    /** Its weight in each field. */
    readonly fields: Readonly<Partial<Record<SkillSearchField, number>>>;
  }[];
}

/** A request, and the skill that should be found. */
export interface RoutingPrompt {
  readonly prompt: string;
  readonly skill: string;
}

/** How a library answers its own prompts. */
export interface SkillRouting {
  /** In the order of the prompts. `rank` of the expected skill, from 1; `null` if not found. */
  readonly prompts: readonly (RoutingPrompt & { readonly rank: number | null; readonly first: string | null })[];
  /**
   * `confusion[expected][first]`: number of prompts. Prompts without any result are in no column.
   */
  readonly confusion: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Share of prompts whose skill came first. */
  readonly firstShare: number;
  readonly amongShare: number;
}

/** A skill found by a request. */
export interface RankedSkill {
  readonly name: string;
  /** Only comparable within one result. */
  readonly score: number;
}

/** Options of {@link rankSkills}. */
export interface SkillRankingOptions {
  /** As `languages` of `createSkillSearch`. @default none */
  readonly languages?: readonly SearchLanguage[] | undefined;
}

/** A library as search ranks it, for analysis. */
export interface SkillRanking {
  /** The skills that a request finds, best first. @default limit: all */
  find(query: string, options?: { readonly limit?: number | undefined }): readonly RankedSkill[];
  /** Explains a score; `null` if not found. @throws {SkillError} `skill-not-found` */
  explain(query: string, name: string): SkillScoreExplanation | null;
  /** Reports which skills prompts confuse. @throws {SkillError} `skill-not-found` */
  route(prompts: readonly RoutingPrompt[], options?: { readonly among?: number | undefined }): Promise<SkillRouting>;
}

const knownOptions: OptionRules<SkillRankingOptions> = {
  languages: '[]',
};

/**
 * Ranks skills as {@link createSkillSearch} does, and explains the ranking. It keeps the given
 * skills; create a new one after a change.
 *
 * @throws {SkillError} `duplicate-skill` for two skills with the same name
 * @example
 * ```ts
 * import { rankSkills } from '@repertoire/skill-search/analysis';
 *
 * const ranking = await rankSkills([
 *   { name: 'refunds', description: 'Gives money back. Use when a customer wants a refund.' },
 *   { name: 'invoices', description: 'Drafts and checks invoices.' },
 * ]);
 * console.log(ranking.explain('please refund this order', 'refunds')?.terms); // refund: in name and description
 * const { confusion } = await ranking.route([{ prompt: 'the customer wants the money back', skill: 'refunds' }]);
 * console.log(confusion); // { refunds: { refunds: 1 } }
 * ```
 */
export async function rankSkills(skills: readonly AnalyzedSkill[], options: SkillRankingOptions = {}): Promise<SkillRanking> {
  assertKnownOptions('rankSkills', options, knownOptions);
  const { languages = [] } = options;
  const pace = new Pace();
  const names = distinctNames(skills);
  const index = await indexSkills(skills, new Condenser(languages), pace);
  const find = (query: string, most = skills.length) => index.search(parseQuery(query, languages), Math.max(1, most), () => true);
  const findOne = (query: string, name: string) => {
    if (!names.has(name)) throw new SkillError('skill-not-found', `No skill to rank is named "${name}".`, { skill: name });
    const hits = find(query);
    return { hits, at: hits.findIndex(({ entry }) => entry.name === name) };
  };

  return {
    find(query, options = {}) {
      const limit = numberOption('limit', options.limit, { of: 'find', fallback: Math.max(1, skills.length), least: 1 });
      return find(query, limit).map(({ entry, score }) => ({ name: entry.name, score }));
    },

    explain(query, name) {
      const { hits, at } = findOne(query, name);
      const hit = hits[at];
      if (hit === undefined) return null;
      const terms = hit.explain();
      return { name, rank: at + 1, score: hit.score, coverage: hit.score / terms.reduce((sum, { score }) => sum + score, 0), terms };
    },

    async route(prompts, options = {}) {
      const among = numberOption('among', options.among, { of: 'route', fallback: 5, least: 1 });
      const confusion: Record<string, Record<string, number>> = Object.create(null) as Record<string, Record<string, number>>;
      const routed: SkillRouting['prompts'][number][] = [];
      for (const { prompt, skill } of prompts) {
        const { hits, at } = findOne(prompt, skill);
        const first = hits[0]?.entry.name ?? null;
        routed.push({ prompt, skill, rank: at === -1 ? null : at + 1, first });
        if (first !== null) {
          const row = (confusion[skill] ??= Object.create(null) as Record<string, number>);
          row[first] = (row[first] ?? 0) + 1;
        }
        await pace.spend(skills.length * 20);
      }
      const share = (most: number) => routed.filter(({ rank }) => rank !== null && rank <= most).length / Math.max(1, routed.length);
      return { prompts: routed, confusion, firstShare: share(1), amongShare: share(among) };
    },
  };
}

function distinctNames(skills: readonly AnalyzedSkill[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name } of skills) {
    if (names.has(name))
      throw new SkillError('duplicate-skill', `Two of the skills to rank are named "${name}". Give one of each name.`, { skill: name });
    names.add(name);
  }
  return names;
}

async function indexSkills(skills: readonly AnalyzedSkill[], condenser: Condenser, pace: Pace): Promise<SkillIndex<IndexedEntry>> {
  const index = new SkillIndex<IndexedEntry>();
  for (let from = 0; from < skills.length; from += segmentSize) {
    const added = [];
    for (const skill of skills.slice(from, from + segmentSize)) {
      const text = skillText(skill, skill.body ?? '');
      added.push({ entry: { name: skill.name, isGone: false }, skill: condenser.condense(text) });
      await pace.spend(text.description.length + text.body.length);
    }
    await index.add(added, () => pace.rest());
  }
  return index;
}
