import type { CatalogFitter } from '../../catalog/catalog-fitter.ts';
import type { SkillTool } from '../skill-tool.ts';
import type { ToolEnvironment } from '../tool-environment.ts';

/**
 * How a model finds skills in a large library: `skillDiscovery(search)` of `@repertoire/skills-core` makes it. A host without it
 * carries none of it.
 */
export interface SkillDiscovery extends CatalogFitter {
  /** The tool that searches. */
  tool(environment: ToolEnvironment): SkillTool;
}
