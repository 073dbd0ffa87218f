import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import type { BudgetedCatalog, CatalogBudget } from './catalog-budget.ts';
import type { CatalogWriter } from './render-catalog.ts';

/** Decides what a catalog lists, if the budget alone does not decide it. */
export interface CatalogFitter {
  /** The catalog of these skills, within its budget. Pure. */
  fit(skills: readonly SkillMetadata[], budget: CatalogBudget, writer: CatalogWriter): FittedCatalog;
  /** What the host should know of its options, once the skills of a session are known. */
  diagnose(skills: readonly SkillMetadata[]): readonly SkillDiagnostic[];
}

/** A catalog within its budget, and what the operator should know of it. */
export interface FittedCatalog extends BudgetedCatalog {
  readonly diagnostics: readonly SkillDiagnostic[];
}
