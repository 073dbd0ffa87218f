import type { FunctionTool } from '@openai/agents-core';
import type { SkillProvider } from '@repertoire/skills-core';
import { isFunctionTool } from './is-function-tool.ts';

/** The tools that skills in code have with them, as far as they are tools of the SDK and the agent has none of that name. */
export function toolsInCode(provider: SkillProvider, own: readonly string[]): readonly FunctionTool[] {
  return Object.values(provider.toolSet?.() ?? {}).filter((tool): tool is FunctionTool => isFunctionTool(tool) && !own.includes(tool.name));
}
