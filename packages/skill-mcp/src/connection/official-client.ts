import { anyResult, type AnyResultSchema } from './any-result.ts';
import { changeHub } from './change-hub.ts';
import type { McpChangeListener, McpConnection } from './mcp-connection.ts';

/** The part of a `Client` of `@modelcontextprotocol/client` that is called. */
export interface McpClientLike {
  getServerCapabilities(): { readonly extensions?: { readonly [id: string]: unknown } | undefined } | undefined;
  getProtocolEra(): string | undefined;
  request(
    request: { method: string; params?: Record<string, unknown> },
    resultSchema: AnyResultSchema,
    options?: { signal?: AbortSignal; timeout?: number },
  ): Promise<unknown>;
  setNotificationHandler(method: 'notifications/resources/list_changed', handler: () => void): void;
  listen(
    filter: { resourcesListChanged: true },
    options?: { signal?: AbortSignal },
  ): Promise<{ close(): Promise<void>; readonly closed: Promise<string> }>;
}

/** The provider has its own timeout; the SDK's must not fire first. */
export const noTimeout: number = 2 ** 31 - 1;

/**
 * A connection of the official client, second generation (`@modelcontextprotocol/client`).
 * `mcpSkillProvider` creates it itself if it receives such a client.
 *
 * While somebody watches, it sets the client's handler for `notifications/resources/list_changed`.
 * With protocol 2026-07-28, it opens a subscription.
 */
export function mcpConnection(client: McpClientLike): McpConnection {
  return {
    extension: (id) => extensionOf(client.getServerCapabilities(), id),

    request: async (method, params, { signal } = {}) =>
      await client.request({ method, params: { ...params } }, anyResult, { timeout: noTimeout, ...(signal !== undefined && { signal }) }),

    onResourcesChanged(listener) {
      const forget = changeHub(client, (method, handler) =>
        client.setNotificationHandler(method as 'notifications/resources/list_changed', handler),
      ).add(() => listener.changed());
      const stop = new AbortController();
      const era = client.getProtocolEra();
      if (era === 'modern') void subscribe(client, stop.signal, listener);
      // It is not connected yet, so the protocol version is unknown and it tries again.
      else if (era === undefined) queueMicrotask(() => void (stop.signal.aborted || listener.ended()));
      return () => {
        forget();
        stop.abort();
      };
    },
  };
}

/** The settings of an extension in the capabilities of a server. */
export function extensionOf(
  capabilities: { readonly extensions?: { readonly [id: string]: unknown } | undefined } | undefined,
  id: string,
): Readonly<Record<string, unknown>> | undefined {
  if (capabilities === undefined) throw new Error('The MCP client is not connected.');
  const settings = capabilities.extensions?.[id];
  return typeof settings === 'object' && settings !== null ? (settings as Record<string, unknown>) : undefined;
}

async function subscribe(client: McpClientLike, signal: AbortSignal, listener: McpChangeListener): Promise<void> {
  try {
    const subscription = await client.listen({ resourcesListChanged: true }, { signal });
    const close = () => void subscription.close().catch(() => {});
    if (signal.aborted) close();
    signal.addEventListener('abort', close, { once: true });
    if (!signal.aborted) listener.ready();
    await subscription.closed;
  } catch {
    // A server without subscriptions, or a broken connection: there will be no notifications.
  }
  if (!signal.aborted) listener.ended();
}
