import type { SkillDiagnostic } from '../contract/skill-provider.ts';
import type { BudgetedCatalog } from './catalog-budget.ts';

/** The most names that a message lists. */
const maxNames = 20;

const offerSearch =
  'Let it search: createSkillset({ …, discovery: skillDiscovery(createSkillSearch(provider)) }) with @repertoire/skill-search. Or select fewer skills for this agent, or raise catalog.maxTokens.';

/**
 * What a budget cut, for the operator. Codes: `catalog-shortened` (info), `catalog-name-only`
 * (warning), `catalog-unlisted` (warning), `catalog-over-budget` (error: not even the text around
 * an empty list fits).
 */
export function budgetDiagnostics({
  shortened,
  nameOnly,
  dropped,
  fits,
  tokens,
}: Pick<BudgetedCatalog, 'shortened' | 'nameOnly' | 'dropped' | 'fits' | 'tokens'>): SkillDiagnostic[] {
  const diagnostics: SkillDiagnostic[] = [];
  if (!fits) {
    diagnostics.push({
      code: 'catalog-over-budget',
      severity: 'error',
      message: `The catalog takes ${tokens} tokens without a single skill, which is over its budget.`,
      fix: 'Raise the budget, or shorten the guidance.',
    });
  }
  if (dropped.length > 0) {
    diagnostics.push({
      code: 'catalog-unlisted',
      severity: 'warning',
      message: `The catalog has no room for ${dropped.length} skills: ${list(dropped)}.`,
      fix: offerSearch,
    });
  }
  if (nameOnly.length > 0) {
    diagnostics.push({
      code: 'catalog-name-only',
      severity: 'warning',
      message: `The catalog names ${nameOnly.length} skills without a description: ${list(nameOnly)}.`,
      fix: `A model seldom loads a skill that it knows by name alone. ${offerSearch}`,
    });
  }
  if (shortened.length > 0) {
    diagnostics.push({
      code: 'catalog-shortened',
      severity: 'info',
      message: `The catalog shortens the descriptions of ${shortened.length} skills: ${list(shortened)}.`,
      fix: 'Say in a few words what the skill does, then "Use when …": the ends of both are what goes.',
    });
  }
  return diagnostics;
}

function list(names: readonly string[]): string {
  const rest = names.length - maxNames;
  return `${names
    .slice(0, maxNames)
    .map((name) => JSON.stringify(name))
    .join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}
