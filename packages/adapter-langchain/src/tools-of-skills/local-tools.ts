import type { StructuredToolInterface } from '@langchain/core/tools';
import { localSkillTools, type LocalSkillToolKind, type LocalSkillToolOptions, freeToolName } from '@repertoire/skills-core/adapter';
import { abortable } from '@repertoire/skills-core/provider';
import type { SkillToolSource } from '../binding/skill-tool-source.ts';
import { isLangChainTool } from '../tools/is-langchain-tool.ts';
import { renameTool } from './rename-tool.ts';

const langChainTools: LocalSkillToolKind<StructuredToolInterface> = {
  isTool: isLangChainTool,
  title: 'tool of LangChain',
  fix: 'Export what tool(…, { name, schema }) returns.',
};

/**
 * Offers tools that skills name by import path (`local_tools` of a skill card or frontmatter). They
 * come from a map, or from modules in folders that the host trusts. Only trusted skills bring any.
 * A tool that cannot be loaded is reported, and the skill is loaded without it. If a name is taken,
 * the tool is prefixed with the name of its skill: `billing__lookup`.
 *
 * @throws {SkillError} `invalid-options` for a folder that is neither a `file:` URL nor an absolute
 *   path
 * @example
 * ```ts
 * import { langGraphSkills, localTools } from '@repertoire/adapter-langchain/langgraph';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * export const skillsOf = (skillset: Skillset) =>
 *   langGraphSkills(skillset, { toolSources: [localTools({ folders: ['file:///srv/skills/'], importModule: (url) => import(url) })] });
 * ```
 */
export function localTools(options: LocalSkillToolOptions): SkillToolSource {
  const toolsOf = localSkillTools(options, langChainTools);
  return {
    stateless: true,
    async open(skill, { taken, signal, report }) {
      const { tools: found, diagnostics } = await abortable(() => toolsOf(skill), signal);
      for (const diagnostic of diagnostics) report(diagnostic);
      const names = new Set(taken);
      const tools: StructuredToolInterface[] = [];
      for (const [name, tool] of found) {
        const free = freeToolName(name, skill.name, names);
        names.add(free);
        tools.push(renameTool(tool, free));
      }
      return tools;
    },
    // Modules stay imported, so there is nothing to close.
    close: async () => {},
  };
}
