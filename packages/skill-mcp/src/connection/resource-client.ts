import type { McpConnection } from './mcp-connection.ts';

/** The called part of a client without extensions, such as `createMCPClient` of `@ai-sdk/mcp`. */
export interface ResourceClientLike {
  listResources(request?: { params?: { cursor?: string }; options?: { signal?: AbortSignal } }): Promise<unknown>;
  readResource(request: { uri: string; options?: { signal?: AbortSignal } }): Promise<unknown>;
}

/**
 * Adapts a client that only supports resources, such as that of `@ai-sdk/mcp`. Skills are
 * then found by their URIs, `skill://…/SKILL.md`, and verified by a `_manifest` if the server has
 * one.
 *
 * @example
 * ```ts
 * import { mcpSkillProvider, resourceConnection } from '@repertoire/skill-mcp';
 * import type { MCPClient } from '@ai-sdk/mcp';
 *
 * export const skillsOf = (client: MCPClient) => mcpSkillProvider({ label: 'crm', client: resourceConnection(client) });
 * ```
 */
export function resourceConnection(client: ResourceClientLike): McpConnection {
  return {
    extension: () => undefined,
    async request(method, params, { signal } = {}) {
      const options = { options: { ...(signal !== undefined && { signal }) } };
      if (method === 'resources/read') return await client.readResource({ uri: String(params['uri']), ...options });
      if (method === 'resources/list') {
        const { cursor } = params;
        return await client.listResources({ params: { ...(typeof cursor === 'string' && { cursor }) }, ...options });
      }
      throw new Error(`This MCP client only has resources; it cannot send ${method}.`);
    },
  };
}
