import type { SkillProvider } from '@repertoire/skills-core';
import { abortable, type SkillCallOptions, type SkillListing } from '@repertoire/skills-core/provider';
import type { FoundPlugin } from '../read/find-plugins.ts';
import { pluginSettings, type PluginProviderOptions } from './plugin-provider-options.ts';
import { PluginSkills } from './plugin-skills.ts';
import { watchByLooking } from './watch-plugins.ts';

/** A {@link SkillProvider} of plugins, which also tells of the plugins themselves. */
export interface PluginProvider extends SkillProvider {
  /** The plugins that are served, with their manifests and servers. */
  listPlugins(options?: SkillCallOptions): Promise<readonly FoundPlugin[]>;
}

/**
 * The skills of Agent Plugins: of one plugin, of folders of plugins, or of the usual places.
 * Reading follows Agent Plugins 1.0.0 to the letter; what deviates is a diagnostic of the listing
 * that names the section of the standard (`pluginRules`). Nothing of a plugin is started: see
 * `pluginServers`.
 *
 * If several plugins have a skill of one name, these are listed as `plugin:skill`. Each skill can
 * be fetched by that name in any case. Its identity is the plugin and the path in it. A plugin
 * without a `plugin.json` is read by its older manifest (`.claude-plugin`, `.codex-plugin`) for
 * names and places of skills only.
 *
 * Plugins in folders can be watched: while somebody does, they are looked at again as often as
 * listings become stale (`staleAfterMs`), for at most a twentieth of the time.
 *
 * Further diagnostics: `plugin-older-manifest`, `plugin-root-missing`, `plugin-root-unreadable`,
 * `plugin-link-outside`, `plugin-shadowed`, `plugin-skill-renamed`, `plugin-not-allowed`,
 * `plugins-truncated`, and those of the reader of SKILL.md.
 *
 * @throws {SkillError} `invalid-options`, at once. Calls reject with `source-unavailable` if no
 *   root can be read, and `readResource` with `limit-exceeded` for a huge file without `maxBytes`.
 * @example
 * ```ts
 * import { pluginProvider } from '@repertoire/agent-plugins';
 * import { pluginFolders } from '@repertoire/agent-plugins/node';
 *
 * const provider = pluginProvider({ roots: pluginFolders(['./plugins']) });
 * for (const { manifest, servers } of await provider.listPlugins()) console.log(manifest.name, [...servers.keys()]);
 * ```
 */
export function pluginProvider(options: PluginProviderOptions): PluginProvider {
  const settings = pluginSettings(options);
  const { label, roots } = settings;
  const skills = new PluginSkills(settings);
  const first = roots[0]?.trusted ?? false;
  const isAlike = roots.every(({ trusted = false }) => trusted === first);
  // Calls of a bucket cost money, so only folders are polled.
  const isWatchable = roots.every(({ files }) => files.uri?.startsWith('file:') === true);
  return {
    label,
    ...(isAlike && { trusted: first }),
    listSkills: async ({ signal } = {}): Promise<SkillListing> => (await abortable(() => skills.scan(), signal)).listing,
    getSkill: async (name, options = {}) => await abortable(() => skills.get(name, options), options.signal),
    readResource: async (name, path, options = {}) => await abortable(() => skills.read(name, path, options), options.signal),
    contentOf: async (name, { content: _any, signal, ...options } = {}) => await abortable(() => skills.contentOf(name, options), signal),
    ...(isWatchable && { watch: watchByLooking(() => skills.look(), settings.staleAfterMs) }),
    listPlugins: async ({ signal } = {}) => (await abortable(() => skills.scan(), signal)).plugins,
  };
}
