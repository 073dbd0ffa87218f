import type { FunctionTool } from '@openai/agents-core';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';

/**
 * Returns the tools of one loaded, trusted skill, by the names that the skill gives them; an empty
 * map for none.
 */
export type AgentToolSource = (
  skill: SkillMetadata,
  context: { readonly report: (diagnostic: SkillDiagnostic) => void },
) => Promise<ReadonlyMap<string, FunctionTool>>;
