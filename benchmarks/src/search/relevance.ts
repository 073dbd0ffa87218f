import { chinese, german, spanish } from '@repertoire/skill-search/languages';
import MiniSearch from 'minisearch';
import { Condenser } from '../../../packages/skill-search/src/index-data/condense-skill.ts';
import { parseQuery, type ParsedQuery } from '../../../packages/skill-search/src/index-data/parse-query.ts';
import { scoreSegments } from '../../../packages/skill-search/src/index-data/score-segments.ts';
import { searchWeights, type SearchWeights } from '../../../packages/skill-search/src/index-data/search-weights.ts';
import { buildSegment, segmentSize, type Segment } from '../../../packages/skill-search/src/index-data/segment.ts';
import { skillText } from '../../../packages/skill-search/src/text/skill-text.ts';
import { languageShares, promptCount } from './prompts-in-languages.ts';
import type { CorpusPrompt, SearchCorpus } from './search-corpus.ts';

/** The ranks of a prompt's skill, and of the one that should not be found, from 1. */
interface PromptRanks {
  readonly skill: number;
  readonly not: number;
}

type Ranks = readonly PromptRanks[];

const variations: readonly (readonly [keyof SearchWeights, readonly number[]])[] = [
  ['name', [1, 3]],
  ['description', [1, 1.5, 3]],
  ['headings', [0, 0.5, 2]],
  ['body', [0, 1, 1.5, 2.5, 3]],
  ['phrase', [0, 1, 2]],
  ['coverage', [0, 0.5, 1]],
];

/** Prints how often the skill that a prompt was written for comes first, and among five. */
export async function printRelevance(corpus: SearchCorpus): Promise<void> {
  const { skills, prompts } = corpus;
  const negatives = prompts.filter(({ not }) => not !== null);
  console.log(
    `\nFinding the skill that a prompt was written for: ${prompts.length - negatives.length} prompts, ${skills.length} skills (first %, among five %)` +
      `\nand of ${negatives.length} prompts that stand beside a skill as ones for others: how often it is not first (not first %),` +
      `\nand where the other one is named, how often that is among five (other %)\n`,
  );
  const [segments, withReferences] = [await segmentsOf(corpus, false), await segmentsOf(corpus, true)];
  const ranks = ranker(corpus, segments);
  const ours = ranks(searchWeights);
  print('this package', prompts, ours);
  print('this package, with references', prompts, ranker(corpus, withReferences)(searchWeights));
  print('MiniSearch, name and description', prompts, miniSearchRanks(corpus, false));
  print('MiniSearch, headings and body too', prompts, miniSearchRanks(corpus, true));

  const details = referenceHeadings(corpus);
  console.log(`\nHeadings of references as requests: ${details.length}, at most three of a skill (first %, among five %)\n`);
  for (const [label, searched] of [
    ['without references', segments],
    ['with references', withReferences],
  ] as const) {
    const found = details.map(({ heading, place }) => rankOf(scoresOf(searched, heading, searchWeights), place));
    const share = (most: number): string => ((100 * found.filter((rank) => rank <= most).length) / found.length).toFixed(1);
    console.log(`${label.padEnd(20)} ${share(1)} ${share(5)}`);
  }

  console.log(
    `\nPrompts of our own in several languages, for published skills in English: ${promptCount} in each (first %, among five %)\n`,
  );
  for (const [label, languages] of [
    ['without languages', []],
    ['with languages', [chinese, german, spanish]],
  ] as const) {
    const shares = await languageShares(corpus, languages);
    const parts = shares.map(({ language, first, among }) => `${language} ${first.toFixed(1)} ${among.toFixed(1)}`);
    console.log(`${label.padEnd(20)} ${parts.join('   ')}`);
  }

  console.log('\nWeights chosen on the other collections, on prompts of one (best of two rounds of single changes)\n');
  for (const held of new Set(prompts.map(({ collection }) => collection))) {
    const chosen = tune(ranks, (prompt) => prompt.collection !== held, prompts);
    const kept = prompts.map((prompt) => prompt.collection === held);
    print(
      held,
      prompts.filter((_, index) => kept[index]),
      ranks(chosen).filter((_, index) => kept[index]),
      `  ${JSON.stringify(chosen)}`,
    );
  }

  console.log('\nWhat a change of one weight does\n');
  for (const [key, values] of variations)
    for (const value of values) print(`${key} ${searchWeights[key]} → ${value}`, prompts, ranks({ ...searchWeights, [key]: value }));
}

async function segmentsOf({ skills }: SearchCorpus, withReferences: boolean): Promise<readonly Segment[]> {
  const condenser = new Condenser();
  const condensed = skills.map(({ metadata, body, references }) =>
    condenser.condense(skillText(metadata, body, withReferences ? references.join('\n') : '')),
  );
  const segments: Segment[] = [];
  for (let from = 0; from < condensed.length; from += segmentSize)
    segments.push(await buildSegment(condensed.slice(from, from + segmentSize), async () => {}));
  return segments;
}

function ranker({ skills, prompts }: SearchCorpus, segments: readonly Segment[]): (weights: SearchWeights) => Ranks {
  const places = new Map(skills.map(({ metadata }, index) => [metadata.name, index]));
  const queries = prompts.map(({ prompt }) => parseQuery(prompt));
  return (weights) =>
    prompts.map(({ skill, not }, index) => {
      const scores = scoresOf(segments, queries[index] ?? parseQuery(''), weights);
      return { skill: rankOf(scores, places.get(skill ?? '') ?? -1), not: rankOf(scores, places.get(not ?? '') ?? -1) };
    });
}

function scoresOf(segments: readonly Segment[], query: ParsedQuery, rules: SearchWeights): number[] {
  return scoreSegments(segments, query, { rules }).scores.flatMap((part) => [...part]);
}

/** What people may ask that no instructions say: headings of four words or more, in references outside code. */
function referenceHeadings({ skills }: SearchCorpus): { readonly heading: ParsedQuery; readonly place: number }[] {
  return skills.flatMap(({ references }, place) => {
    const text = references.join('\n').replace(/^```[^]*?^```/gm, '');
    const headings = Array.from(text.matchAll(/^#{1,6} (.*)$/gm), ([, heading = '']) => heading).filter(
      (heading) => heading.split(/\s+/).length >= 4,
    );
    const step = Math.max(1, Math.ceil(headings.length / 3));
    return headings.filter((_, index) => index % step === 0).map((heading) => ({ heading: parseQuery(heading), place }));
  });
}

function rankOf(scores: readonly number[], place: number): number {
  const own = scores[place] ?? 0;
  if (own <= 0) return Number.POSITIVE_INFINITY;
  return 1 + scores.filter((score, other) => score > own || (score === own && other < place)).length;
}

function tune(
  ranks: (weights: SearchWeights) => Ranks,
  isUsed: (prompt: CorpusPrompt) => boolean,
  prompts: readonly CorpusPrompt[],
): SearchWeights {
  const used = prompts.map(isUsed);
  const quality = (weights: SearchWeights): number =>
    ranks(weights).reduce((sum, { skill, not }, index) => {
      if (used[index] !== true) return sum;
      return sum + Number(skill === 1) + Number(skill <= 5) + 1 / skill - Number(not === 1);
    }, 0);
  let best = searchWeights;
  let bestQuality = quality(best);
  for (let round = 0; round < 2; round += 1) {
    for (const [key, values] of variations) {
      for (const value of values) {
        const changed = { ...best, [key]: value };
        const changedQuality = quality(changed);
        if (changedQuality > bestQuality) [best, bestQuality] = [changed, changedQuality];
      }
    }
  }
  return best;
}

function miniSearchRanks({ skills, prompts }: SearchCorpus, withBody: boolean): Ranks {
  const fields = withBody ? ['name', 'description', 'headings', 'body'] : ['name', 'description'];
  const mini = new MiniSearch({ fields, searchOptions: { boost: { name: 3, description: 2 } } });
  mini.addAll(
    skills.map(({ metadata, body }, id) => ({
      id,
      name: metadata.name,
      description: `${metadata.description} ${metadata.whenToUse ?? ''}`,
      headings: (body.match(/^#{1,6} .*$/gm) ?? []).join('\n'),
      body,
    })),
  );
  return prompts.map(({ prompt, skill, not }) => {
    const found = mini.search(prompt).map(({ id }) => skills[id as number]?.metadata.name);
    const rank = (name: string | null): number =>
      name === null || !found.includes(name) ? Number.POSITIVE_INFINITY : found.indexOf(name) + 1;
    return { skill: rank(skill), not: rank(not) };
  });
}

/** In percent. `other`: where the right skill is named beside the one that is not meant, how often that is among five. */
export interface PromptShares {
  readonly first: number;
  readonly among: number;
  readonly notFirst: number;
  readonly other: number;
}

/** Shares of prompts by their labels: those for a skill, and those that should not find it. */
export function sharesOf(prompts: readonly CorpusPrompt[], ranks: Ranks, of: (prompt: CorpusPrompt) => boolean = () => true): PromptShares {
  const share = (isCounted: (prompt: CorpusPrompt) => boolean, isRight: (rank: PromptRanks) => boolean): number => {
    const counted = ranks.filter((_, index) => prompts[index] !== undefined && of(prompts[index]) && isCounted(prompts[index]));
    return (100 * counted.filter(isRight).length) / Math.max(1, counted.length);
  };
  return {
    first: share(
      ({ not }) => not === null,
      ({ skill }) => skill === 1,
    ),
    among: share(
      ({ not }) => not === null,
      ({ skill }) => skill <= 5,
    ),
    notFirst: share(
      ({ not }) => not !== null,
      ({ not }) => not !== 1,
    ),
    other: share(
      ({ not, skill }) => not !== null && skill !== null,
      ({ skill }) => skill <= 5,
    ),
  };
}

function print(label: string, prompts: readonly CorpusPrompt[], ranks: Ranks, note = ''): void {
  const text = (value: number): string => value.toFixed(1).padStart(5);
  const collections = [...new Set(prompts.map(({ collection }) => collection))];
  const parts = collections.map((collection) => {
    const { first, among } = sharesOf(prompts, ranks, (prompt) => prompt.collection === collection);
    return `${collection.split('__')[0]} ${text(first)} ${text(among)}`;
  });
  const { first, among, notFirst, other } = sharesOf(prompts, ranks);
  console.log(
    `${label.padEnd(36)} ${text(first)} ${text(among)}   not first ${text(notFirst)}  other ${text(other)}   ${collections.length > 1 ? parts.join('   ') : ''}${note}`,
  );
}
