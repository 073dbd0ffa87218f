import { SkillError } from '@repertoire/skills-core';
import type { LockedPlugin } from '@repertoire/skills-core/internal';
import type { PluginCallOptions } from '../files/plugin-files.ts';
import type { PluginProvider } from '../provider/plugin-provider.ts';
import type { FoundPlugin } from '../read/find-plugins.ts';
import type { PluginServer } from '../read/plugin-server.ts';
import { pluginDigest } from './plugin-digest.ts';

/**
 * Pins the plugins of a provider, for the option `plugins` of `createSkillLock` and
 * `diffSkillLock`: the digest of every file, and what each server starts or connects to.
 *
 * @throws {SkillError} `limit-exceeded` for a plugin without a digest, see `pluginDigest`
 * @example
 * ```ts
 * import { pinnedPlugins, type PluginProvider } from '@repertoire/agent-plugins';
 * import { createSkillLock, serializeSkillLock } from '@repertoire/skill-trust/lock';
 *
 * export async function lockFile(provider: PluginProvider): Promise<string> {
 *   return serializeSkillLock(await createSkillLock(provider, { plugins: await pinnedPlugins(provider) }));
 * }
 * ```
 */
export async function pinnedPlugins(provider: PluginProvider, options: PluginCallOptions = {}): Promise<readonly LockedPlugin[]> {
  const pinned: LockedPlugin[] = [];
  for (const plugin of await provider.listPlugins(options)) pinned.push(await pinnedPlugin(plugin, provider.label, options));
  return pinned;
}

/** One plugin, pinned. */
export async function pinnedPlugin(
  { files, manifest, servers }: FoundPlugin,
  source: string,
  options: PluginCallOptions,
): Promise<LockedPlugin> {
  const hashed = await pluginDigest(files, options);
  if (hashed === null) {
    throw new SkillError(
      'limit-exceeded',
      `Plugin ${JSON.stringify(manifest.name)} cannot be pinned: a path leads out of it, or it has more than 10,000 files or 256 MiB. Remove what does not belong to it.`,
      { source },
    );
  }
  return {
    name: manifest.name,
    version: manifest.version ?? null,
    source,
    digest: hashed.digest,
    files: hashed.files,
    servers: Object.fromEntries([...servers].map(([name, server]) => [name, serverText(server)])),
  };
}

function serverText(server: PluginServer): string {
  const sorted = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(
    server.type === 'stdio'
      ? { type: server.type, command: server.command, args: server.args, cwd: server.cwd, env: sorted(server.env) }
      : { type: server.type, url: server.url, headers: sorted(server.headers) },
  );
}
