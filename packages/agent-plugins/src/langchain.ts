import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { freeToolName } from '@repertoire/skills-core/adapter';
import type { PluginServers } from './servers/plugin-servers.ts';

/** A tool source of the LangChain adapter. */
export interface PluginToolSource {
  open(
    skill: SkillMetadata,
    request: {
      readonly conversation: string;
      readonly taken: ReadonlySet<string>;
      readonly signal?: AbortSignal | undefined;
      readonly report: (diagnostic: SkillDiagnostic) => void;
    },
  ): Promise<readonly StructuredToolInterface[]>;
  close(conversation: string, skill?: string): Promise<void>;
}

/**
 * Turns the servers of plugins into a tool source of `skillsMiddleware` and `langGraphSkills`. They
 * are connected when a skill of their plugin is loaded, and closed when none is.
 *
 * @example
 * ```ts
 * import { skillsMiddleware } from '@repertoire/adapter-langchain';
 * import { pluginTools } from '@repertoire/agent-plugins/langchain';
 * import type { PluginServers } from '@repertoire/agent-plugins/servers';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * export const middlewareOf = (skillset: Skillset, servers: PluginServers) => skillsMiddleware(skillset, { toolSources: [pluginTools(servers)] });
 * ```
 */
export function pluginTools(servers: PluginServers): PluginToolSource {
  return {
    async open(skill, { conversation, taken, signal, report }) {
      const found = await servers.open(skill, { holder: conversation, report, signal });
      const names = new Set(taken);
      return found.map(({ name, server, description, inputSchema, call }) => {
        const free = freeToolName(name, server, names);
        names.add(free);
        return tool(
          async (input, config) => {
            const { text, isError } = await call(input as Record<string, unknown>, { signal: config.signal });
            if (isError) throw new Error(text);
            return text;
          },
          { name: free, description, schema: { ...inputSchema } },
        ) as StructuredToolInterface;
      });
    },
    close: (conversation, skill) => servers.close(conversation, skill),
  };
}
