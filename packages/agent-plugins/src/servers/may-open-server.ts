import type { PluginServersSettings, PluginServerRequest } from './plugin-servers-options.ts';

/** The one place that grants servers: by name, for trusted roots, by the host. Never by default. */
export async function mayOpenServer(request: PluginServerRequest, { allow, grant }: PluginServersSettings): Promise<boolean> {
  const { plugin, server, skill } = request;
  if (plugin.root.trusted !== true || skill.origin?.trusted !== true) return false;
  if (!allow.includes(`${plugin.manifest.name}/${server}`)) return false;
  return grant === undefined || (await grant(request)) === true;
}
