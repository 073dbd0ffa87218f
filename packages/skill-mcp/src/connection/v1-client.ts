import { anyResult } from './any-result.ts';
import { changeHub } from './change-hub.ts';
import type { McpConnection } from './mcp-connection.ts';
import { extensionOf, noTimeout } from './official-client.ts';

/** The called part of a `Client` of `@modelcontextprotocol/sdk`. Any schema with `parse` works. */
export interface McpClientV1Like {
  getServerCapabilities(): object | undefined;
  request(
    request: { method: string; params?: Record<string, unknown> },
    resultSchema: never,
    options?: { signal?: AbortSignal; timeout?: number },
  ): Promise<unknown>;
  setNotificationHandler(schema: never, handler: () => void): void;
}

/**
 * Adapts the official client, first generation (`@modelcontextprotocol/sdk` 1.x). That
 * client does not support skills, and does not need to.
 *
 * @example
 * ```ts
 * import { mcpConnectionV1, mcpSkillProvider } from '@repertoire/skill-mcp';
 * import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
 *
 * export const skillsOf = (client: Client) => mcpSkillProvider({ label: 'crm', client: mcpConnectionV1(client) });
 * ```
 */
export function mcpConnectionV1(client: McpClientV1Like): McpConnection {
  return {
    extension: (id) => extensionOf(client.getServerCapabilities(), id),

    request: async (method, params, { signal } = {}) =>
      await client.request({ method, params: { ...params } }, anyResult as never, {
        timeout: noTimeout,
        ...(signal !== undefined && { signal }),
      }),

    onResourcesChanged: (listener) =>
      changeHub(client, (method, handler) => client.setNotificationHandler(notificationSchema(method) as never, handler)).add(() =>
        listener.changed(),
      ),
  };
}

/** The client reads the method from the schema's literal, as in zod 3. */
function notificationSchema(method: string): object {
  return { ...anyResult, shape: { method: { value: method, _def: { value: method, typeName: 'ZodLiteral' } } } };
}
