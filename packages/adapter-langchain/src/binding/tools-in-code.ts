import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillProvider } from '@repertoire/skills-core';

/** The tools that skills in code have with them, as far as they are tools of LangChain and not among those that the host hands over itself. */
export function toolsInCode(provider: SkillProvider, handed: readonly string[]): readonly StructuredToolInterface[] {
  return Object.values(provider.toolSet?.() ?? {}).filter(
    (tool) => isTool(tool) && !handed.includes(tool.name),
  ) as StructuredToolInterface[];
}

function isTool(tool: object): tool is StructuredToolInterface {
  return 'name' in tool && 'invoke' in tool && typeof tool.invoke === 'function';
}
