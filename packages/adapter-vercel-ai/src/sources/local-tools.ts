import { localSkillTools, type LocalSkillToolKind, type LocalSkillToolOptions } from '@repertoire/skills-core/adapter';
import type { ToolSet } from 'ai';
import { isAiSdkTool } from './is-ai-sdk-tool.ts';
import type { AiSdkToolSource } from './tool-source.ts';

const aiSdkTools: LocalSkillToolKind<ToolSet[string]> = {
  isTool: isAiSdkTool,
  title: 'tool of the AI SDK',
  fix: 'Export what tool({ inputSchema, execute }) returns.',
};

/**
 * Offers tools that skills name by import path (`local_tools` of a skill card or frontmatter). They
 * come from a map, or from modules in folders that the host trusts. Each must be a tool of the AI
 * SDK, with an `inputSchema`.
 *
 * @throws {SkillError} `invalid-options` for a folder that is neither a `file:` URL nor an absolute
 *   path
 * @example
 * ```ts
 * import { aiSdkSkills, localTools } from '@repertoire/adapter-vercel-ai';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * export const withLocalTools = (skillset: Skillset) =>
 *   aiSdkSkills(skillset, {
 *     toolSources: [localTools({ folders: ['file:///srv/skills/'], importModule: (url) => import(url) })],
 *   });
 * ```
 */
export function localTools(options: LocalSkillToolOptions): AiSdkToolSource {
  const toolsOf = localSkillTools(options, aiSdkTools);
  return async (skill, { report }) => {
    const { tools, diagnostics } = await toolsOf(skill);
    for (const diagnostic of diagnostics) report(diagnostic);
    return tools.size === 0 ? null : { tools: Object.fromEntries(tools) };
  };
}
