import { budgetCatalog, type BudgetedCatalog, type CatalogBudget } from '../../catalog/budget-catalog.ts';
import { budgetDiagnostics } from '../../catalog/budget-diagnostics.ts';
import type { CatalogWriter } from '../../catalog/render-catalog.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import type { FittedCatalog } from './skill-discovery.ts';

/** What decides which skills a catalog lists. */
export interface CatalogChoice {
  readonly mode: 'auto' | 'beside' | 'search';
  /** Names; the first are kept longest. */
  readonly pinned: readonly string[];
  readonly usefulCharacters: number;
}

/** No skill is used as often as a pinned one counts. */
const mostUses = Number.MAX_SAFE_INTEGER / 2;

/**
 * The catalog beside a search. Which skills it lists depends on the skills and the host's options alone, so the text stays the same; and for
 * trusted skills it depends on trusted skills alone, so no untrusted source can push them out.
 */
export function fitCatalog(skills: readonly SkillMetadata[], budget: CatalogBudget, writer: CatalogWriter, choice: CatalogChoice): FittedCatalog {
  const { mode, pinned, usefulCharacters } = choice;
  const isPinned = new Set(pinned);
  const fixed = (skill: SkillMetadata): boolean => isPinned.has(skill.name);
  if (mode === 'search') return listed(skills, budgetOnly(skills, skills.filter(fixed), budget, writer, choice));

  const whole = budgetCatalog(skills, budget, writer);
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
  const fit = (count: number): Chosen | undefined => {
    const chosen = new Set(rest.slice(0, count));
    const fitted = budgetOnly(skills, skills.filter((skill) => stays(skill) || chosen.has(skill)), limits, writer, choice);
    const without = bareOf(fitted);
    return skills.some((skill) => without.has(skill.name) && (isTrusted(skill) || !fixed(skill))) ? undefined : fitted;
  };
  let best: Chosen | undefined;
  let [low, high] = [1, rest.length];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const fitted = fit(middle);
    if (fitted === undefined) high = middle - 1;
    else [best, low] = [fitted, middle + 1];
  }
  return listed(skills, best ?? budgetOnly(skills, skills.filter(stays), budget, writer, choice));
}

/** Some of the skills in a catalog that says how many others there are. */
function budgetOnly(
  skills: readonly SkillMetadata[],
  chosen: readonly SkillMetadata[],
  budget: CatalogBudget,
  writer: CatalogWriter,
  { pinned }: CatalogChoice,
): Chosen {
  const uses = usesOf(budget);
  const usage = Object.fromEntries([
    ...chosen.map((skill): [string, number] => [skill.name, Math.min(uses(skill), mostUses)]),
    ...pinned.map((name, place): [string, number] => [name, Number.MAX_SAFE_INTEGER - place]),
  ]);
  return { ...budgetCatalog(chosen, { ...budget, usage }, writer, skills.length - chosen.length), chosen };
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

function usesOf({ usage = {} }: CatalogBudget): (skill: SkillMetadata) => number {
  return ({ name }) => {
    const count = Object.hasOwn(usage, name) ? usage[name] : 0;
    return typeof count === 'number' && Number.isFinite(count) ? count : 0;
  };
}

/** Code: `catalog-searched` (info). */
function searchedDiagnostics(count: number, all: number): SkillDiagnostic[] {
  if (count === all) return [];
  return [
    {
      code: 'catalog-searched',
      severity: 'info',
      message: `The catalog lists ${count} of ${all} skills. The model finds the others by search.`,
      fix: 'To list more: pin skills, tell `catalog.usage`, or raise `catalog.maxTokens`.',
    },
  ];
}
