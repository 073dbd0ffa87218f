import type { FunctionTool } from '@openai/agents-core';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';

/** The tools of a loaded, trusted skill by name; empty for none. */
export type AgentToolSource = (
  skill: SkillMetadata,
  context: { readonly report: (diagnostic: SkillDiagnostic) => void },
) => Promise<ReadonlyMap<string, FunctionTool>>;
