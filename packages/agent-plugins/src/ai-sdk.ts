import { dynamicTool, jsonSchema, type ToolSet } from 'ai';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import type { PluginServers } from './servers/plugin-servers.ts';

/** Tools that a skill brings, and what closes their connections. */
export interface PluginToolSet {
  readonly tools: ToolSet;
  close(): Promise<void>;
}

/**
 * Turns the servers of plugins into a tool source of `aiSdkSkills`. The SDK must know every tool
 * when a call begins, so allowed servers are asked for their lists once and closed again; then a
 * connection is opened only when a tool is called, which its gate allows while a skill of the
 * plugin is loaded. `close()` of `aiSdkSkills` closes it.
 *
 * @example
 * ```ts
 * import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
 * import { pluginTools } from '@repertoire/agent-plugins/ai-sdk';
 * import type { PluginServers } from '@repertoire/agent-plugins/servers';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * export const skillsOf = (skillset: Skillset, servers: PluginServers) => aiSdkSkills(skillset, { toolSources: [pluginTools(servers)] });
 * ```
 */
export function pluginTools(
  servers: PluginServers,
): (
  skill: SkillMetadata,
  request: { readonly signal?: AbortSignal | undefined; readonly report: (diagnostic: SkillDiagnostic) => void },
) => Promise<PluginToolSet | null> {
  // One agent passes the same `report` for all of its skills, so it identifies the agent, whose
  // skills share connections.
  const holders = new WeakMap<object, string>();
  return async (skill, { report, signal }) => {
    const holder = holders.get(report) ?? crypto.randomUUID();
    holders.set(report, holder);
    const found = await servers.open(skill, { holder, report, signal, onlyLists: true });
    if (found.length === 0) return null;
    const tools: ToolSet = {};
    for (const { name, server, description, inputSchema, call } of found) {
      tools[Object.hasOwn(tools, name) ? `${server}__${name}` : name] = dynamicTool({
        description,
        inputSchema: jsonSchema(inputSchema),
        execute: async (input, { abortSignal }) => {
          const { text, isError } = await call(input as Record<string, unknown>, { signal: abortSignal });
          if (isError) throw new Error(text);
          return text;
        },
      });
    }
    return { tools, close: () => servers.close(holder, skill.name) };
  };
}
