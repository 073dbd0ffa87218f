import { budgetCatalog, type CatalogBudget } from '../../catalog/budget-catalog.ts';
import { budgetDiagnostics } from '../../catalog/budget-diagnostics.ts';
import type { CatalogWriter } from '../../catalog/render-catalog.ts';
import type { SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import type { FittedCatalog } from './skill-discovery.ts';

/** What decides which skills a catalog lists. */
export interface CatalogChoice {
  readonly mode: 'auto' | 'beside' | 'search';
  /** Names; the first are kept longest. */
  readonly pinned: readonly string[];
  readonly usefulCharacters: number;
}

/** Used less than any pinned skill can be. */
const mostUsed = Number.MAX_SAFE_INTEGER;

/** The catalog beside a search. Which skills it lists depends on the skills and the host's options alone, so the text stays the same. */
export function fitCatalog(
  skills: readonly SkillMetadata[],
  budget: CatalogBudget,
  writer: CatalogWriter,
  { mode, pinned, usefulCharacters }: CatalogChoice,
): FittedCatalog {
  if (mode !== 'search') {
    const whole = budgetCatalog(skills, budget, writer);
    if (mode === 'beside' || (whole.nameOnly.length === 0 && whole.dropped.length === 0)) {
      return { ...whole, diagnostics: budgetDiagnostics(whole) };
    }
  }
  const isPinned = new Set(pinned);
  const { usage = {} } = budget;
  const uses = (name: string): number => {
    const count = Object.hasOwn(usage, name) ? usage[name] : 0;
    return typeof count === 'number' && Number.isFinite(count) ? count : 0;
  };
  const priority = Object.fromEntries([
    ...skills.map(({ name }): [string, number] => [name, Math.min(uses(name), mostUsed / 2)]),
    ...pinned.map((name, place): [string, number] => [name, mostUsed - place]),
  ]);
  const minEntryCharacters = Math.max(budget.minEntryCharacters ?? 0, usefulCharacters);
  let chosen = skills.filter(({ name }) => isPinned.has(name) || (mode === 'auto' && uses(name) > 0));
  for (;;) {
    const mayGo = chosen.some(({ name }) => !isPinned.has(name));
    // Pinned skills stay, however little room there is; the others are listed with a useful description or not at all.
    const limits: CatalogBudget = { ...budget, usage: priority, ...(mayGo && { minEntryCharacters }) };
    const fitted = budgetCatalog(chosen, limits, writer, skills.length - chosen.length);
    const bare = new Set([...fitted.nameOnly, ...fitted.dropped]);
    const kept = chosen.filter(({ name }) => isPinned.has(name) || !bare.has(name));
    if (kept.length < chosen.length) {
      chosen = kept;
      continue;
    }
    const dropped = new Set(fitted.dropped);
    const listed = new Set(chosen.flatMap(({ name }) => (dropped.has(name) ? [] : [name])));
    const unlisted = skills.flatMap(({ name }) => (listed.has(name) ? [] : [name]));
    return { ...fitted, dropped: unlisted, diagnostics: [...budgetDiagnostics(fitted), ...searchedDiagnostics(listed.size, skills.length)] };
  }
}

/** Code: `catalog-searched` (info). */
function searchedDiagnostics(listed: number, all: number): SkillDiagnostic[] {
  if (listed === all) return [];
  return [
    {
      code: 'catalog-searched',
      severity: 'info',
      message: `The catalog lists ${listed} of ${all} skills. The model finds the others by search.`,
      fix: 'To list more: pin skills, tell `catalog.usage`, or raise `catalog.maxTokens`.',
    },
  ];
}
