import type { CatalogFitter } from '../../catalog/catalog-fitter.ts';
import type { SkillToolNames } from '../../prompt/tool-names.ts';
import type { SkillToolDescription } from '../describe-tool.ts';
import type { SkillTool } from '../skill-tool.ts';
import type { ToolEnvironment } from '../tool-environment.ts';

/**
 * How a model finds skills in a large library: `skillDiscovery(search)` of
 * `@repertoire/skills-core` makes it. A host without it carries none of it.
 */
export interface SkillDiscovery extends CatalogFitter {
  /** The tool that searches. */
  tool(environment: ToolEnvironment): SkillTool;
  /** What a model is told of it before a session is opened. */
  describeTool(names: SkillToolNames): SkillToolDescription;
}
