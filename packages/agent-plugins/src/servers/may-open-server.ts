import type { PluginServersSettings, PluginServerRequest } from './plugin-servers-options.ts';

/**
 * The one place that decides whether a server may be opened. The host must trust its root and name
 * the server, and `grant` must not refuse it.
 */
export async function mayOpenServer(request: PluginServerRequest, { allow, grant }: PluginServersSettings): Promise<boolean> {
  const { plugin, server, skill } = request;
  if (plugin.root.trusted !== true || skill.origin?.trusted !== true) return false;
  if (!allow.includes(`${plugin.manifest.name}/${server}`)) return false;
  return grant === undefined || (await grant(request)) === true;
}
