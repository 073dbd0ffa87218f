import type { BudgetedCatalog, CatalogBudget } from '../../catalog/budget-catalog.ts';
import type { CatalogWriter } from '../../catalog/render-catalog.ts';
import type { SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import type { SkillTool } from '../skill-tool.ts';
import type { ToolEnvironment } from '../tool-environment.ts';

/**
 * How a model finds skills in a large library: `skillDiscovery(search)` of `@repertoire/skills-core/discovery` makes it. A host without it
 * carries none of it.
 */
export interface SkillDiscovery {
  /** The tool that searches. */
  tool(environment: ToolEnvironment): SkillTool;
  /** The catalog of these skills, within its budget. Pure. */
  fit(skills: readonly SkillMetadata[], budget: CatalogBudget, writer: CatalogWriter): FittedCatalog;
  /** What the host should know of its options, once the skills of a session are known. */
  diagnose(skills: readonly SkillMetadata[]): readonly SkillDiagnostic[];
}

/** A catalog within its budget, and what the operator should know of it. */
export interface FittedCatalog extends BudgetedCatalog {
  readonly diagnostics: readonly SkillDiagnostic[];
}
