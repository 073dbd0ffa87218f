import type { SkillToolNames } from '../../prompt/tool-names.ts';
import type { SkillToolDescription } from '../describe-tool.ts';
import type { SkillTool } from '../skill-tool.ts';
import type { ToolEnvironment } from '../tool-environment.ts';

/**
 * What a skillset does with skills that a model proposes: `skillProposals({ store })` of
 * `@repertoire/skill-proposals` makes it. A host that takes no proposals carries none of it.
 */
export interface SkillProposals<Context = undefined> {
  /** The tool that proposes a skill, for one session. It must not change what any session sees. */
  tool(environment: ToolEnvironment, context: Context): SkillTool;
  /** What a model is told of it before a session is opened. */
  describeTool(names: SkillToolNames): SkillToolDescription;
}
