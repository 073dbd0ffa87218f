import { estimateTokenCount } from 'tokenx';
import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { checkBudget, type BudgetedCatalog, type CatalogBudget } from './catalog-budget.ts';
import { fitTier, linesOf, unlisted, type FittedSkill } from './fit-tier.ts';
import { SummaryWords } from './own-words.ts';
import type { CatalogWriter } from './render-catalog.ts';

/**
 * Fits a catalog into its budget, in four steps, each taken only if the one before was not enough:
 *
 * 1. the list is written compactly;
 * 2. descriptions are shortened to a common width, so the longest give first and short ones stay
 *    whole;
 * 3. descriptions are left out, of the lowest priority first;
 * 4. skills are left out, of the lowest priority first, and the text says how many.
 *
 * Trusted skills are fitted first, as if there were no others; untrusted ones get the room that is
 * left. So no untrusted source can change the line of a trusted skill. The order of the list never
 * changes. Pure: the same input gives the same bytes.
 *
 * @param others how many more skills there are, which are not listed whatever the room; the text
 *   says so
 * @param words for several catalogs of the same skills, so that their texts are read once
 * @throws {SkillError} `invalid-options` for a limit that is not a positive number
 */
export function budgetCatalog(
  skills: readonly SkillMetadata[],
  budget: CatalogBudget,
  writer: CatalogWriter,
  others: number = 0,
  words: SummaryWords = new SummaryWords(),
): BudgetedCatalog {
  checkBudget(budget);
  const { maxTokens = Number.POSITIVE_INFINITY, maxCharacters = Number.POSITIVE_INFINITY } = budget;
  const limits = { ...budget, words, countTokens: rememberLast(budget.countTokens ?? estimateTokenCount) };
  const trusted = skills.filter(isTrusted);
  const first = fitTier({ skills: trusted, fixed: [], others }, limits, writer);
  const untrusted = skills.filter((skill) => !isTrusted(skill));
  const fixed = linesOf(first);
  const isFull = fixed.length < trusted.length;
  const second = isFull ? untrusted.map(unlisted) : fitTier({ skills: untrusted, fixed, others }, limits, writer);
  // Each tier is in the order of the skills by itself.
  const [next, nextUntrusted] = [first.values(), second.values()];
  const fitted = skills.map((skill) => (isTrusted(skill) ? next : nextUntrusted).next().value as FittedSkill);
  const lines = linesOf(fitted);
  const text = writer.whole(lines, skills.length - lines.length + others);
  const tokens = limits.countTokens(text);
  const namesOf = (shown: FittedSkill['shown']): string[] => fitted.flatMap((one) => (one.shown === shown ? [one.skill.name] : []));
  return {
    text,
    tokens,
    shortened: namesOf('part'),
    nameOnly: namesOf('name'),
    dropped: namesOf('nothing'),
    fits: tokens <= maxTokens && text.length <= maxCharacters,
  };
}

/** Caches the last count: the last text that is fitted is the one that is returned. */
function rememberLast(countTokens: (text: string) => number): (text: string) => number {
  let last: { readonly text: string; readonly tokens: number } | undefined;
  return (text) => {
    if (text !== last?.text) last = { text, tokens: countTokens(text) };
    return last.tokens;
  };
}
