import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import { splitCatalog, type SurfaceModeContext } from './surface.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { budgetDiagnostics } from './budget-diagnostics.ts';
import { budgetCatalog } from './budget-catalog.ts';
import { defaultMaxCatalogTokens, type CatalogBudget, type CatalogFitter, type FittedCatalog } from './catalog-budget.ts';
import { catalogWriter, renderGuidance, type RenderCatalogOptions } from './render-catalog.ts';
import type { SkillCatalog } from './skill-catalog.ts';

/** How a catalog is written, and its budget. `maxTokens` defaults to 8,000. */
export interface SkillCatalogOptions extends RenderCatalogOptions, Omit<CatalogBudget, 'countTokens'> {}

/** What the texts of a catalog depend on besides its skills. */
export interface BuildCatalogRequest {
  readonly names: SkillToolNames;
  readonly options: SkillCatalogOptions;
  readonly surface: SurfaceModeContext;
  /** Names of the tools by which skills are found that are not listed. */
  readonly finders: readonly string[];
  readonly countTokens: (text: string) => number;
  /** What decides which skills are listed. @default the budget alone */
  readonly fitter?: CatalogFitter | undefined;
}

/** The texts of a catalog, and what they cost. */
export interface CatalogTexts extends Pick<SkillCatalog, 'text' | 'toolText' | 'tokens' | 'cut'> {
  /** What the budget cut, for the operator. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** The texts of a catalog: each skill where its surface mode puts it, within the budget. Pure. */
export function buildCatalog(skills: readonly SkillMetadata[], request: BuildCatalogRequest): CatalogTexts {
  const { systemPrompt, toolDescription } = splitCatalog(skills, request.surface);
  const guidance = renderGuidance(request.names, request.options.guidance);
  const inPrompt = fit(systemPrompt, request, guidance);
  // The guidance appears once: in the system prompt, or in the tool if that lists no skill.
  const inTool = fit(toolDescription, request, inPrompt === null ? guidance : '');
  const both = (part: 'shortened' | 'nameOnly' | 'dropped') => {
    const [first = [], second = []] = [inPrompt?.[part], inTool?.[part]];
    // Each is in the order of the skills by itself.
    if (first.length === 0 || second.length === 0) return first.length === 0 ? second : first;
    const names = new Set([...first, ...second]);
    return skills.map(({ name }) => name).filter((name) => names.has(name));
  };
  return {
    text: inPrompt?.text ?? '',
    toolText: inTool?.text ?? '',
    tokens: (inPrompt?.tokens ?? 0) + (inTool?.tokens ?? 0),
    cut: { shortened: both('shortened'), nameOnly: both('nameOnly'), dropped: both('dropped') },
    diagnostics: [...[inPrompt, inTool].flatMap((fitted) => fitted?.diagnostics ?? []), ...(request.fitter?.diagnose(skills) ?? [])],
  };
}

function fit(
  skills: readonly SkillMetadata[],
  { names, options, finders, countTokens, fitter }: BuildCatalogRequest,
  guidance: string,
): FittedCatalog | null {
  if (skills.length === 0) return null;
  const writer = catalogWriter({ format: options.format ?? 'xml', argumentHints: options.argumentHints, guidance, names, finders });
  const budget: CatalogBudget = { maxTokens: defaultMaxCatalogTokens, ...options, countTokens };
  if (fitter !== undefined) return fitter.fit(skills, budget, writer);
  const fitted = budgetCatalog(skills, budget, writer);
  return { ...fitted, diagnostics: budgetDiagnostics(fitted) };
}
