import type { PluginServersSettings, PluginServerRequest } from './plugin-servers-options.ts';

/**
 * The one place where a server of a plugin is granted: by name, for skills of trusted roots, and by
 * whoever the host asks. Nothing that is unknown grants.
 */
export async function mayOpenServer(request: PluginServerRequest, { allow, grant }: PluginServersSettings): Promise<boolean> {
  const { plugin, server, skill } = request;
  if (plugin.root.trusted !== true || skill.origin?.trusted !== true) return false;
  if (!allow.includes(`${plugin.manifest.name}/${server}`)) return false;
  return grant === undefined || (await grant(request)) === true;
}
