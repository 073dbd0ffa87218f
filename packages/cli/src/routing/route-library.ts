import { nextTurn } from '@repertoire/skills-core/internal';
import { findCollisions, rankSkills, type AnalyzedSkill, type SkillCollision, type SkillRanking } from '@repertoire/skill-search/analysis';
import type { EvalItem } from '../evals/eval-item.ts';

/** Where one request goes. */
export interface RoutedPrompt {
  readonly skill: string;
  readonly prompt: string;
  /** Whether the skill is meant to be chosen for it. */
  readonly shouldTrigger: boolean;
  /** The skill that comes first; `null` where none has a word of the request. */
  readonly first: string | null;
  /** The place of the skill itself, from 1; `null` where it is not found. */
  readonly rank: number | null;
  /** Words that ranked another skill first, strongest first; empty if the right one was first. */
  readonly words: readonly string[];
}

/** Requests of one skill that another one takes. */
export interface StolenPrompts {
  readonly from: string;
  readonly by: string;
  readonly prompts: readonly string[];
  /** The words that took them. */
  readonly words: readonly string[];
}

/** How a library answers its own requests, by words and without a model. */
export interface LibraryRouting {
  readonly skills: readonly string[];
  readonly prompts: readonly RoutedPrompt[];
  /** `confusion[meant][first]`: how many requests; `''` for those that found nothing. */
  readonly confusion: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Share of requests whose own skill comes first, or among five; `null` without requests. */
  readonly firstShare: number | null;
  readonly amongFiveShare: number | null;
  readonly stolen: readonly StolenPrompts[];
  readonly collisions: readonly SkillCollision[];
}

const maxWords = 5;

/**
 * Sends the requests of a library through it. The ranking is by names and descriptions, which is
 * what a model chooses by.
 *
 * @param options `bodies`: instructions count too
 */
export async function routeLibrary(
  skills: readonly AnalyzedSkill[],
  items: readonly EvalItem[],
  { bodies = false, signal }: { readonly bodies?: boolean | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<LibraryRouting> {
  const ranking = await rankSkills(bodies ? skills : skills.map((skill) => ({ ...skill, body: '' })));
  const names = new Set(skills.map(({ name }) => name));
  const prompts: RoutedPrompt[] = [];
  for (const [index, item] of items.filter(({ skill }) => names.has(skill)).entries()) {
    if (index % 50 === 0) await breathe(signal);
    prompts.push(routed(item, ranking));
  }
  const wanted = prompts.filter(({ shouldTrigger }) => shouldTrigger);
  const share = (most: number): number | null =>
    wanted.length === 0 ? null : wanted.filter(({ rank }) => rank !== null && rank <= most).length / wanted.length;
  return {
    skills: [...names].sort(),
    prompts,
    confusion: confusionOf(wanted),
    firstShare: share(1),
    amongFiveShare: share(5),
    stolen: stolenOf(wanted),
    collisions: await findCollisions(skills),
  };
}

function routed({ skill, prompt, shouldTrigger }: EvalItem, ranking: SkillRanking): RoutedPrompt {
  const found = ranking.find(prompt);
  const at = found.findIndex(({ name }) => name === skill);
  const first = found[0]?.name ?? null;
  const isOther = first !== null && first !== skill;
  const terms = isOther ? (ranking.explain(prompt, first)?.terms ?? []) : [];
  return { skill, prompt, shouldTrigger, first, rank: at === -1 ? null : at + 1, words: terms.slice(0, maxWords).map(({ text }) => text) };
}

function confusionOf(prompts: readonly RoutedPrompt[]): Record<string, Record<string, number>> {
  const rows = Object.create(null) as Record<string, Record<string, number>>;
  for (const { skill, first } of prompts) {
    const row = (rows[skill] ??= Object.create(null) as Record<string, number>);
    row[first ?? ''] = (row[first ?? ''] ?? 0) + 1;
  }
  return rows;
}

function stolenOf(prompts: readonly RoutedPrompt[]): StolenPrompts[] {
  const groups = Map.groupBy(
    prompts.filter(({ skill, first }) => first !== null && first !== skill),
    ({ skill, first }) => JSON.stringify([skill, first]),
  );
  return [...groups.values()]
    .map((group) => ({
      from: group[0]?.skill ?? '',
      by: group[0]?.first ?? '',
      prompts: group.map(({ prompt }) => prompt),
      words: [...new Set(group.flatMap(({ words }) => words))].slice(0, 8),
    }))
    .sort((a, b) => b.prompts.length - a.prompts.length || (a.from < b.from ? -1 : 1));
}

async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}
