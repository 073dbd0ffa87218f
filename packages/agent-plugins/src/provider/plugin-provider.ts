import type { Skill, SkillProvider } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import {
  abortable,
  isResourcePath,
  mediaTypeOf,
  sha256Hex,
  skillDigestFromFileDigests,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillCallOptions,
  type SkillListing,
  type SkillResource,
} from '@repertoire/skills-core/provider';
import type { FoundPlugin } from '../read/find-plugins.ts';
import { PluginIndex, type IndexedSkill, type PluginScan } from './plugin-index.ts';
import { pluginSettings, type PluginProviderOptions } from './plugin-provider-options.ts';
import { KeptDigests, listSkillFiles, maxFileBytes, tooLarge } from './skill-files.ts';
import { readLevelTwo } from './skill-reader.ts';
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
  const index = new PluginIndex(settings);
  const digests = new KeptDigests();
  const isTrusted = roots.every(({ trusted = false }) => trusted === (roots[0]?.trusted ?? false))
    ? (roots[0]?.trusted ?? false)
    : undefined;

  const getSkill = async (name: string, options: GetSkillOptions): Promise<Skill | null> => {
    // Twice at most: where a file is not what was listed, the second look is at a new listing.
    for (const attempt of [0, 1]) {
      const found = findSkill(attempt === 0 ? await index.current() : await index.refresh(), name, options);
      if (found === null) continue;
      const read = await readLevelTwo(found.plugin.files, found.place, {});
      if (read === null || JSON.stringify(read.metadata) !== JSON.stringify(found.own)) continue;
      const { files, manifest } = found.plugin;
      const listed = await listSkillFiles(files, found.place.path, {});
      const resources = await digests.entries(manifest.name, files, listed.files, {});
      const content = await contentFrom(await sha256Hex(read.bytes), resources);
      if (options.content !== undefined && options.content !== content) return null;
      settings.onEvent({ type: 'skill-read', plugin: manifest.name, version: manifest.version, skill: found.metadata.name });
      return deepFreeze({
        ...found.metadata,
        ...(content !== undefined && { content }),
        body: read.body,
        resources,
        diagnostics: read.diagnostics,
      });
    }
    return null;
  };

  const readResource = async (name: string, path: string, options: ReadResourceOptions): Promise<SkillResource | null> => {
    const found = isResourcePath(path) ? findSkill(await index.current(), name, options) : null;
    if (found === null) return null;
    const { files } = found.plugin;
    const stored =
      path === 'SKILL.md'
        ? `${found.place.path}/SKILL.md`
        : (await listSkillFiles(files, found.place.path, {})).files.find((file) => file.path === path)?.stored;
    if (stored === undefined) return null;
    const { maxBytes, digest: wanted } = options;
    const isCut = maxBytes !== undefined && wanted === undefined;
    const file = await files.read(stored, { maxBytes: isCut ? maxBytes : maxFileBytes });
    if (file === null || file === 'outside') return null;
    if (!isCut && file.size > maxFileBytes) throw tooLarge(path, file.size, label);
    const digest = file.bytes.length === file.size ? await sha256Hex(file.bytes) : undefined;
    if (wanted !== undefined && wanted !== digest) return null;
    const bytes = maxBytes === undefined ? file.bytes : file.bytes.slice(0, maxBytes);
    return { path, bytes, size: file.size, mediaType: mediaTypeOf(path), ...(digest !== undefined && { digest }) };
  };

  /** Of files, only those are read whose stamps do not tell that they are as they were. */
  const contentOf = async (found: IndexedSkill | null): Promise<string | undefined> => {
    if (found === null) return undefined;
    const { files, manifest } = found.plugin;
    const listed = await listSkillFiles(files, found.place.path, {});
    const main = listed.main === null ? undefined : await digests.of(manifest.name, files, listed.main, {});
    return main === undefined ? undefined : await contentFrom(main, await digests.entries(manifest.name, files, listed.files, {}));
  };

  const look = async (): Promise<string> => {
    const { skills, listing } = await index.refresh();
    const contents: (string | undefined)[] = [];
    for (const skill of skills) contents.push(await contentOf(skill));
    return JSON.stringify([listing, contents]);
  };

  // A bucket is paid for by the call, so only folders are looked at again and again.
  const isWatchable = roots.every(({ files }) => files.uri?.startsWith('file:') === true);

  return {
    label,
    ...(isTrusted !== undefined && { trusted: isTrusted }),
    listSkills: async ({ signal } = {}): Promise<SkillListing> => (await abortable(() => index.current(), signal)).listing,
    getSkill: async (name, options = {}) => await abortable(() => getSkill(name, options), options.signal),
    readResource: async (name, path, options = {}) => await abortable(() => readResource(name, path, options), options.signal),
    contentOf: async (name, { content: _any, signal, ...options } = {}) =>
      await abortable(async () => await contentOf(findSkill(await index.current(), name, options)), signal),
    ...(isWatchable && { watch: watchByLooking(look, settings.staleAfterMs) }),
    listPlugins: async ({ signal } = {}) => (await abortable(() => index.current(), signal)).plugins,
  };
}

function findSkill({ skills }: PluginScan, name: string, { version, place }: GetSkillOptions): IndexedSkill | null {
  const found =
    skills.find(({ metadata }) => metadata.name === name) ??
    skills.find(({ plugin, own }) => `${plugin.manifest.name}:${own.name}` === name);
  if (found === undefined || (version !== undefined && version !== found.metadata.version)) return null;
  return place === undefined || place === found.metadata.origin?.place ? found : null;
}

async function contentFrom(main: string, resources: Skill['resources']): Promise<string | undefined> {
  const digests: Record<string, string> = { 'SKILL.md': main };
  for (const { path, digest } of resources) {
    if (digest === undefined) return undefined;
    digests[path] = digest;
  }
  return await skillDigestFromFileDigests(digests);
}
