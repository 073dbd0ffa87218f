import { localSkillTools, type LocalSkillToolOptions } from '@repertoire/skills-core/policy';
import type { ToolSet } from 'ai';
import type { AiSdkToolSource } from './tool-source.ts';

/**
 * Tools that skills name by import path (`local_tools` of a skill card or frontmatter), from a map or from modules in folders that the host trusts. What a skill names
 * must be a tool of the AI SDK, with an `inputSchema`.
 *
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
  return async (skill, { report }) => {
    const { tools: found, diagnostics } = await localSkillTools(skill, options);
    for (const diagnostic of diagnostics) report(diagnostic);
    const tools: ToolSet = {};
    for (const [name, tool] of found) {
      if (isTool(tool)) tools[name] = tool;
      else {
        report({
          severity: 'warning',
          code: 'local-tool',
          skill: skill.name,
          message: `The local tool ${JSON.stringify(name)} of skill ${JSON.stringify(skill.name)} is no tool of the AI SDK.`,
          fix: 'Export what tool({ inputSchema, execute }) returns.',
        });
      }
    }
    return Object.keys(tools).length === 0 ? null : { tools };
  };
}

function isTool(value: unknown): value is ToolSet[string] {
  return typeof value === 'object' && value !== null && 'inputSchema' in value;
}
