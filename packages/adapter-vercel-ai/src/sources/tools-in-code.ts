import type { SkillProvider } from '@repertoire/skills-core';
import type { ToolSet } from 'ai';

/**
 * The tools that skills in code have with them, as far as they are tools of the AI SDK. Those that the host hands to the call itself are left
 * out.
 */
export function toolsInCode(provider: SkillProvider, otherTools: readonly string[]): ToolSet {
  const found = Object.entries(provider.toolSet?.() ?? {}).filter(([name, tool]) => 'inputSchema' in tool && !otherTools.includes(name));
  return Object.fromEntries(found) as ToolSet;
}
