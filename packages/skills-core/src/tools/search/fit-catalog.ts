import { budgetCatalog } from '../../catalog/budget-catalog.ts';
import { usesOf, type BudgetedCatalog, type CatalogBudget, type FittedCatalog } from '../../catalog/catalog-budget.ts';
import { budgetDiagnostics } from '../../catalog/budget-diagnostics.ts';
import { SummaryWords } from '../../catalog/own-words.ts';
import type { CatalogWriter } from '../../catalog/render-catalog.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';

/** What decides which skills a catalog lists. */
export interface CatalogChoice {
  readonly mode: 'auto' | 'beside' | 'search';
  /** Names; the first are kept longest. */
  readonly alwaysListed: readonly string[];
  readonly usefulCharacters: number;
}

/** No skill is used as often as a alwaysListed one counts. */
const mostUses = Number.MAX_SAFE_INTEGER / 2;

/** A guess from which the search for the number of skills starts. */
const charactersPerToken = 4.5;
/** A part of the skills that fit which is not worth another count. */
const closeEnough = 0.03;

/**
 * The catalog beside a search. Which skills it lists depends on the skills and the host's options
 * alone, so the text stays the same; and for trusted skills it depends on trusted skills alone, so
 * no untrusted source can push them out.
 */
export function fitCatalog(
  skills: readonly SkillMetadata[],
  budget: CatalogBudget,
  writer: CatalogWriter,
  choice: CatalogChoice,
): FittedCatalog {
  const { mode, alwaysListed, usefulCharacters } = choice;
  const isAlwaysListed = new Set(alwaysListed);
  const fixed = (skill: SkillMetadata): boolean => isAlwaysListed.has(skill.name);
  const words = new SummaryWords();
  const write = (those: readonly SkillMetadata[], within: CatalogBudget): Chosen => ({
    ...budgetCatalog(those, { ...within, usage: usageOf(those, within, choice) }, writer, skills.length - those.length, words),
    chosen: those,
  });
  if (mode === 'search') return listed(skills, write(skills.filter(fixed), budget));

  const whole = budgetCatalog(skills, budget, writer, 0, words);
  const bare = bareOf(whole);
  if (mode === 'beside' || bare.size === 0) return { ...whole, diagnostics: budgetDiagnostics(whole) };

  // As long as the trusted skills have room, they are listed as if there were no others.
  const trusted = skills.filter(isTrusted);
  const hasRoom = trusted.length > 0 && trusted.every(({ name }) => !bare.has(name));
  const stays = (skill: SkillMetadata): boolean => fixed(skill) || (hasRoom && isTrusted(skill));
  const uses = usesOf(budget);
  const rest = skills
    .filter((skill) => !stays(skill) && uses(skill) > 0)
    .sort((a, b) => Number(isTrusted(b)) - Number(isTrusted(a)) || uses(b) - uses(a));
  const limits = hasRoom ? budget : { ...budget, minEntryCharacters: Math.max(budget.minEntryCharacters ?? 0, usefulCharacters) };
  const writeSome = (count: number, within: CatalogBudget): Chosen => {
    const chosen = new Set(rest.slice(0, count));
    const those = skills.filter((skill) => stays(skill) || chosen.has(skill));
    return write(those, within);
  };
  const isUseful = (fitted: Chosen): boolean => {
    const without = bareOf(fitted);
    return !skills.some((skill) => without.has(skill.name) && (isTrusted(skill) || !fixed(skill)));
  };
  const likely = likelyCount(rest, limits);
  const inCharacters = charactersOnly(limits, writeSome(likely, limits));
  const countTrusted = rest.filter(isTrusted).length;
  const search = (low: number, high: number) => most((count) => isUseful(writeSome(count, inCharacters)), low, high, likely);
  const first = search(1, countTrusted);
  const count = first === countTrusted ? search(countTrusted + 1, rest.length) || first : first;
  for (let tried = count; tried > 0; tried = Math.floor(tried * 0.97)) {
    const fitted = writeSome(tried, limits);
    if (isUseful(fitted)) return listed(skills, fitted);
  }
  return listed(skills, write(skills.filter(stays), budget));
}

/** The budget in characters, as a guess that needs no count. */
function charactersOnly(budget: CatalogBudget, counted: BudgetedCatalog): CatalogBudget {
  const { maxTokens = Number.POSITIVE_INFINITY, maxCharacters = Number.POSITIVE_INFINITY, maxEntryTokens } = budget;
  const perToken = counted.text.length / Math.max(1, counted.tokens);
  return {
    ...budget,
    maxTokens: undefined,
    maxCharacters: Math.min(maxCharacters, maxTokens * perToken),
    ...(maxEntryTokens === undefined && { countTokens: () => 0 }),
  };
}

/** The most skills that fit, or almost; 0 if none do. */
function most(fits: (count: number) => boolean, low: number, high: number, likely: number): number {
  let best = 0;
  let next = Math.min(high, Math.max(low, likely));
  let [least, greatest] = [low, high];
  while (least <= greatest && (best === 0 || greatest - least >= greatest * closeEnough)) {
    if (fits(next)) {
      best = next;
      least = next + 1;
      next = Math.min((least + greatest + 1) >> 1, Math.ceil(next * 1.1));
    } else {
      greatest = next - 1;
      next = Math.max((least + greatest) >> 1, Math.floor(next / 1.1));
    }
    next = Math.min(greatest, Math.max(least, next));
  }
  return best;
}

/** How many skills will fit about, by characters. */
function likelyCount(skills: readonly SkillMetadata[], { maxTokens, maxCharacters, minEntryCharacters = 0 }: CatalogBudget): number {
  let room = Math.min((maxTokens ?? Number.POSITIVE_INFINITY) * charactersPerToken, maxCharacters ?? Number.POSITIVE_INFINITY);
  const count = skills.findIndex(({ name, description }) => {
    room -= name.length + Math.min(minEntryCharacters, description.length);
    return room < 0;
  });
  return count === -1 ? skills.length : count;
}

/** The skills of `alwaysListed` come first, in their order. */
function usageOf(
  chosen: readonly SkillMetadata[],
  budget: CatalogBudget,
  { alwaysListed }: CatalogChoice,
): Readonly<Record<string, number>> {
  const uses = usesOf(budget);
  return Object.fromEntries([
    ...chosen.map((skill): [string, number] => [skill.name, Math.min(uses(skill), mostUses)]),
    ...alwaysListed.map((name, place): [string, number] => [name, Number.MAX_SAFE_INTEGER - place]),
  ]);
}

interface Chosen extends BudgetedCatalog {
  readonly chosen: readonly SkillMetadata[];
}

function listed(skills: readonly SkillMetadata[], { chosen, ...fitted }: Chosen): FittedCatalog {
  const dropped = new Set(fitted.dropped);
  const names = new Set(chosen.flatMap(({ name }) => (dropped.has(name) ? [] : [name])));
  const unlisted = skills.flatMap(({ name }) => (names.has(name) ? [] : [name]));
  return { ...fitted, dropped: unlisted, diagnostics: [...budgetDiagnostics(fitted), ...searchedDiagnostics(names.size, skills.length)] };
}

/** Skills without a description, or not listed. */
function bareOf({ nameOnly, dropped }: BudgetedCatalog): ReadonlySet<string> {
  return new Set([...nameOnly, ...dropped]);
}

/** Code: `catalog-searched` (info). */
function searchedDiagnostics(count: number, all: number): SkillDiagnostic[] {
  if (count === all) return [];
  const message = `The catalog lists ${count} of ${all} skills. The model finds the others by search.`;
  const fix = 'To list more: pin skills, tell `catalog.usage`, or raise `catalog.maxTokens`.';
  return [{ code: 'catalog-searched', severity: 'info', message, fix }];
}
