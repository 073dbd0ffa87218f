import type { FunctionTool } from '@openai/agents-core';
import { localSkillTools, type LocalSkillToolOptions } from '@repertoire/skills-core/policy';
import { isFunctionTool } from './is-function-tool.ts';
import type { AgentToolSource } from './tool-source.ts';

/**
 * Tools that skills name by import path (`local_tools` of a skill card or frontmatter), from a map or from modules in folders that the host
 * trusts. What a skill names must be what `tool({ … })` of the SDK returns.
 *
 * @example
 * ```ts
 * import { localTools, openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * export const withLocalTools = (skillset: Skillset) =>
 *   openAiAgentsSkills(skillset, {
 *     toolSources: [localTools({ folders: ['file:///srv/skills/'], importModule: (url) => import(url) })],
 *   });
 * ```
 */
export function localTools(options: LocalSkillToolOptions): AgentToolSource {
  return async (skill, { report }) => {
    const { tools, diagnostics } = await localSkillTools(skill, options);
    for (const diagnostic of diagnostics) report(diagnostic);
    const found = new Map<string, FunctionTool>();
    for (const [name, tool] of tools) {
      if (isFunctionTool(tool)) found.set(name, tool);
      else {
        report({
          severity: 'warning',
          code: 'local-tool',
          skill: skill.name,
          message: `The local tool ${JSON.stringify(name)} of skill ${JSON.stringify(skill.name)} is no function tool of the OpenAI Agents SDK.`,
          fix: 'Export what tool({ parameters, execute }) returns.',
        });
      }
    }
    return found;
  };
}
