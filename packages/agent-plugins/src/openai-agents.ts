import { tool, type FunctionTool } from '@openai/agents-core';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import type { PluginServers } from './servers/plugin-servers.ts';

/**
 * Turns the servers of plugins into a tool source of `openAiAgentsSkills`. They are connected when
 * a skill of their plugin is loaded, and closed when they are idle or when the servers are disposed
 * of.
 *
 * @example
 * ```ts
 * import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
 * import { pluginTools } from '@repertoire/agent-plugins/openai-agents';
 * import type { PluginServers } from '@repertoire/agent-plugins/servers';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * export const skillsOf = (skillset: Skillset, servers: PluginServers) => openAiAgentsSkills(skillset, { toolSources: [pluginTools(servers)] });
 * ```
 */
export function pluginTools(
  servers: PluginServers,
): (
  skill: SkillMetadata,
  context: { readonly report: (diagnostic: SkillDiagnostic) => void },
) => Promise<ReadonlyMap<string, FunctionTool>> {
  const holder = crypto.randomUUID();
  return async (skill, { report }) => {
    const tools = new Map<string, FunctionTool>();
    for (const { name, server, description, inputSchema, call } of await servers.open(skill, { holder, report })) {
      const free = tools.has(name) ? `${server}__${name}` : name;
      const parameters = { properties: {}, required: [], additionalProperties: true, ...inputSchema, type: 'object' } as const;
      const made = tool({
        name: free,
        description,
        parameters: parameters as never,
        strict: false,
        execute: async (input) => {
          const { text, isError } = await call(input);
          return isError ? `Error: ${text}` : text;
        },
      });
      tools.set(free, made);
    }
    return tools;
  };
}
