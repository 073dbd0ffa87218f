import type { FunctionTool } from '@openai/agents-core';
import { localSkillTools, type LocalSkillToolKind, type LocalSkillToolOptions } from '@repertoire/skills-core/adapter';
import { isFunctionTool } from './is-function-tool.ts';
import type { AgentToolSource } from './tool-source.ts';

const functionTools: LocalSkillToolKind<FunctionTool> = {
  isTool: isFunctionTool,
  title: 'function tool of the OpenAI Agents SDK',
  fix: 'Export what tool({ parameters, execute }) returns.',
};

/**
 * Offers tools that skills name by import path (`local_tools` of a skill card or frontmatter). They
 * come from a map, or from modules in folders that the host trusts. Each must be what `tool({ … })`
 * of the SDK returns.
 *
 * @throws {SkillError} `invalid-options` for a folder that is neither a `file:` URL nor an absolute
 *   path
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
  const toolsOf = localSkillTools(options, functionTools);
  return async (skill, { report }) => {
    const { tools, diagnostics } = await toolsOf(skill);
    for (const diagnostic of diagnostics) report(diagnostic);
    return tools;
  };
}
