import MiniSearch from 'minisearch';
import { Condenser } from '../../../packages/skill-search/src/index-data/condense-skill.ts';
import { parseQuery } from '../../../packages/skill-search/src/index-data/parse-query.ts';
import { scoreSegments } from '../../../packages/skill-search/src/index-data/score-segments.ts';
import { searchWeights, type SearchWeights } from '../../../packages/skill-search/src/index-data/search-weights.ts';
import { buildSegment, segmentSize, type Segment } from '../../../packages/skill-search/src/index-data/segment.ts';
import { skillText } from '../../../packages/skill-search/src/text/skill-text.ts';
import type { CorpusPrompt, SearchCorpus } from './search-corpus.ts';

/** Gives the rank of each prompt's skill, from 1. */
type Ranks = readonly number[];

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
  console.log(
    `\nFinding the skill that a prompt was written for: ${prompts.length} prompts, ${skills.length} skills (first %, among five %)\n`,
  );
  const ranks = await ranker(corpus);
  const ours = ranks(searchWeights);
  print('this package', prompts, ours);
  print('MiniSearch, name and description', prompts, miniSearchRanks(corpus, false));
  print('MiniSearch, headings and body too', prompts, miniSearchRanks(corpus, true));

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

async function ranker({ skills, prompts }: SearchCorpus): Promise<(weights: SearchWeights) => Ranks> {
  const condenser = new Condenser();
  const condensed = skills.map(({ metadata, body }) => condenser.condense(skillText(metadata, body)));
  const segments: Segment[] = [];
  for (let from = 0; from < condensed.length; from += segmentSize)
    segments.push(await buildSegment(condensed.slice(from, from + segmentSize), async () => {}));
  const places = new Map(skills.map(({ metadata }, index) => [metadata.name, index]));
  const queries = prompts.map(({ prompt }) => parseQuery(prompt));
  return (weights) =>
    prompts.map(({ skill }, index) => {
      const query = queries[index];
      if (query === undefined) return Number.POSITIVE_INFINITY;
      const scores = scoreSegments(segments, query, { rules: weights }).scores.flatMap((part) => [...part]);
      return rankOf(scores, places.get(skill) ?? -1);
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
    ranks(weights).reduce((sum, rank, index) => sum + (used[index] === true ? Number(rank === 1) + Number(rank <= 5) + 1 / rank : 0), 0);
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
  return prompts.map(({ prompt, skill }) => {
    const at = mini.search(prompt).findIndex(({ id }) => skills[id as number]?.metadata.name === skill);
    return at === -1 ? Number.POSITIVE_INFINITY : at + 1;
  });
}

function print(label: string, prompts: readonly CorpusPrompt[], ranks: Ranks, note = ''): void {
  const share = (of: (index: number) => boolean, most: number): string => {
    const chosen = ranks.filter((_, index) => of(index));
    return ((100 * chosen.filter((rank) => rank <= most).length) / Math.max(1, chosen.length)).toFixed(1).padStart(5);
  };
  const collections = [...new Set(prompts.map(({ collection }) => collection))];
  const parts = collections.map((collection) => {
    const of = (index: number): boolean => prompts[index]?.collection === collection;
    return `${collection.split('__')[0]} ${share(of, 1)} ${share(of, 5)}`;
  });
  console.log(
    `${label.padEnd(36)} ${share(() => true, 1)} ${share(() => true, 5)}   ${collections.length > 1 ? parts.join('   ') : ''}${note}`,
  );
}
