import { SkillError, type SkillProvider, type SkillSearch } from '@repertoire/skills-core';
import { fuseRanks, type FusionWeights } from '../embed/fuse-ranks.ts';
import { skillEmbedder, type SkillEmbedderOptions } from '../embed/skill-embedder.ts';
import { createSkillSearch } from '../search/create-skill-search.ts';

/** A prompt of a library. */
export interface TuningPrompt {
  readonly prompt: string;
  readonly skill: string;
  /** Whether the skill should be found; `false` if it should not come first. @default true */
  readonly isFor?: boolean | undefined;
}

/** How well prompts are answered. Shares are from 0 to 1. */
export interface TunedShares extends FusionWeights {
  /** The share of prompts whose skill comes first, and of those whose skill is among five. */
  readonly first: number;
  readonly among: number;
  /** The share of prompts that are not for a skill but find it first. */
  readonly wrong: number;
}

/** What {@link tuneEmbedder} measured. */
export interface EmbedderTuning {
  /** Words alone: `weight` is 0. */
  readonly words: TunedShares;
  /** The proposal: never worse than words alone on these prompts. */
  readonly best: TunedShares;
  /** Everything that was tried. */
  readonly tried: readonly TunedShares[];
}

const weights = [0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9];
const rankOffsets = [1, 2, 5, 10, 60];
const depth = 50;

/**
 * Measures a library's own prompts by words alone and with an embedder, and proposes `weight` and
 * `rankOffset` of `skillEmbedder`. Each prompt is embedded once.
 *
 * @throws {SkillError} `invalid-options` without prompts, `source-unavailable` if the embedder
 *   fails
 * @example
 * ```ts
 * import { tuneEmbedder, type EmbedderTuning, type TuningPrompt } from '@repertoire/skill-search/analysis';
 * import type { EmbeddingModelLike } from '@repertoire/skill-search';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function propose(provider: SkillProvider, model: EmbeddingModelLike, prompts: readonly TuningPrompt[]): Promise<EmbedderTuning['best']> {
 *   return (await tuneEmbedder(provider, { id: 'my-model', model }, prompts)).best;
 * }
 * ```
 */
export async function tuneEmbedder(
  provider: SkillProvider,
  embedder: SkillEmbedderOptions,
  prompts: readonly TuningPrompt[],
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<EmbedderTuning> {
  if (!prompts.some(({ isFor = true }) => isFor))
    throw new SkillError('invalid-options', 'There is no prompt to tune by. Give some that say which skill they are for.');
  const patience = { maxWaitMs: Number.POSITIVE_INFINITY };
  const byWords = createSkillSearch(provider, patience);
  // With a weight of 1, what was found by meaning comes first, in its own order.
  const byMeaning = createSkillSearch(provider, {
    ...patience,
    embedder: skillEmbedder({ timeoutMs: 30_000, ...embedder, weight: 1 }),
  });
  try {
    await byWords.refresh({ signal });
    await byMeaning.refresh({ signal });
    const found: Found[] = [];
    for (const prompt of prompts) {
      const words = await namesOf(byWords, prompt.prompt, signal);
      found.push({ prompt, words, meanings: await meaningsOf(byMeaning, prompt.prompt, signal) });
    }
    return propose(found);
  } finally {
    byWords[Symbol.dispose]();
    byMeaning[Symbol.dispose]();
  }
}

interface Found {
  readonly prompt: TuningPrompt;
  readonly words: readonly string[];
  readonly meanings: readonly string[];
}

function propose(found: readonly Found[]): EmbedderTuning {
  const words = sharesOf(found, { weight: 0, rankOffset: 2 });
  const tried = weights.flatMap((weight) => rankOffsets.map((rankOffset) => sharesOf(found, { weight, rankOffset })));
  const isNoWorse = ({ first, among, wrong }: TunedShares) => first >= words.first && among >= words.among && wrong <= words.wrong;
  // Among equally good results, the smallest weight is taken: it changes other requests least.
  const best = tried.filter(isNoWorse).reduce((one, other) => (worthOf(other) > worthOf(one) ? other : one), words);
  return { words, best, tried };
}

function worthOf({ first, among, wrong }: TunedShares): number {
  return first + among - wrong;
}

function sharesOf(found: readonly Found[], fusion: FusionWeights): TunedShares {
  const ranks = found.map(({ prompt, words, meanings }) => ({
    isFor: prompt.isFor ?? true,
    rank: fuseRanks(words, meanings, fusion).findIndex(({ item }) => item === prompt.skill),
  }));
  const share = (isFor: boolean, most: number): number => {
    const counted = ranks.filter((one) => one.isFor === isFor);
    return counted.filter(({ rank }) => rank !== -1 && rank < most).length / Math.max(1, counted.length);
  };
  return { ...fusion, first: share(true, 1), among: share(true, 5), wrong: share(false, 1) };
}

async function namesOf(search: SkillSearch, query: string, signal: AbortSignal | undefined): Promise<string[]> {
  return (await search.search(query, { limit: depth, audience: 'host', signal })).candidates.map(({ name }) => name);
}

async function meaningsOf(search: SkillSearch, query: string, signal: AbortSignal | undefined): Promise<string[]> {
  const { candidates, mode, diagnostics } = await search.search(query, { limit: depth, audience: 'host', signal });
  if (mode !== 'hybrid' && query.trim() !== '')
    throw new SkillError(
      'source-unavailable',
      `The embedder gave nothing to measure: ${diagnostics.map(({ message }) => message).join(' ')} Correct it and try again.`,
    );
  return candidates.filter(({ by }) => by !== 'words').map(({ name }) => name);
}
