import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillToolSource } from '../binding/skill-tool-source.ts';
import { freeToolName } from '@repertoire/skills-core/adapter';
import { renameTool } from './rename-tool.ts';

/**
 * Offers tools of the host that come with one skill and leave with it, whether the skill names them
 * or not. The model does not see them before. An untrusted skill of that name brings none. For
 * tools that the model should always see, use the option `tools` and `gates.tools` of the skillset.
 *
 * @example
 * ```ts
 * import type { StructuredToolInterface } from '@langchain/core/tools';
 * import { skillsMiddleware } from '@repertoire/adapter-langchain';
 * import { skillScopedTools } from '@repertoire/adapter-langchain/langgraph';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * export const middlewareOf = (skillset: Skillset, refund: StructuredToolInterface) =>
 *   skillsMiddleware(skillset, { toolSources: [skillScopedTools('billing', [refund])] });
 * ```
 */
export function skillScopedTools(skill: string, tools: readonly StructuredToolInterface[]): SkillToolSource {
  return {
    stateless: true,
    async open({ name, origin }, { taken }) {
      if (name !== skill || origin?.trusted !== true) return [];
      const names = new Set(taken);
      return tools.map((tool) => {
        const free = freeToolName(tool.name, name, names);
        names.add(free);
        return renameTool(tool, free);
      });
    },
    close: async () => {},
  };
}
