import type { Skill } from '../../contract/skill-provider.ts';
import type { SkillToolNames } from '../../prompt/tool-names.ts';
import type { SkillToolDescription } from '../describe-tool.ts';
import type { SkillTool } from '../skill-tool.ts';
import type { ToolEnvironment } from '../tool-environment.ts';

/**
 * What a skillset does with skills that say their steps: `skillWorkflows({ tools })` of
 * `@repertoire/skill-workflow` makes it. A host that runs no workflows carries none of it.
 */
export interface SkillWorkflows {
  /** The tool that runs a workflow. */
  tool(environment: ToolEnvironment): SkillTool;
  /** What a model is told of it before a session is opened. */
  describeTool(names: SkillToolNames): SkillToolDescription;
  /** The steps of a skill and how to run them. Empty if it has none. */
  describe(environment: ToolEnvironment, skill: Skill): string;
}
