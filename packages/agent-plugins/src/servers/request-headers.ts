import type { PluginHttpServer } from '../read/plugin-server.ts';

/**
 * The headers of a request, by section 7.2.1 of the standard: those of the server go to its own
 * origin only, also behind a redirect or an endpoint that the server names; and the headers of the
 * client itself override them.
 *
 * @param own what the client sends for HTTP, MCP and authorization
 */
export function requestHeaders({ url, headers }: PluginHttpServer, target: string, own: HeadersInit = {}): Headers {
  const all = new Headers(new URL(target).origin === new URL(url).origin ? { ...headers } : {});
  for (const [name, value] of new Headers(own)) all.set(name, value);
  return all;
}
