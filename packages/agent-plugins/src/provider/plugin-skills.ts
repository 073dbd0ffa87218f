import type { Skill } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import {
  isResourcePath,
  mediaTypeOf,
  sha256Hex,
  skillDigestFromFileDigests,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillResource,
} from '@repertoire/skills-core/provider';
import { PluginIndex, type IndexedSkill, type PluginScan } from './plugin-index.ts';
import type { PluginSettings } from './plugin-provider-options.ts';
import { KeptDigests, listSkillFiles, maxFileBytes, tooLarge } from './skill-files.ts';
import { readLevelTwo } from './skill-reader.ts';

/** Reads skills of plugins from their files, as listed. */
export class PluginSkills {
  readonly #settings: PluginSettings;
  readonly #index: PluginIndex;
  readonly #digests = new KeptDigests();

  constructor(settings: PluginSettings) {
    this.#settings = settings;
    this.#index = new PluginIndex(settings);
  }

  async scan(): Promise<PluginScan> {
    return await this.#index.current();
  }

  async get(name: string, options: GetSkillOptions): Promise<Skill | null> {
    // Two attempts at most: if a file is not as listed, the second attempt uses a new listing.
    for (const attempt of [0, 1]) {
      const found = findSkill(attempt === 0 ? await this.#index.current() : await this.#index.refresh(), name, options);
      if (found === null) continue;
      const read = await readLevelTwo(found.plugin.files, found.place, {});
      if (read === null || JSON.stringify(read.metadata) !== JSON.stringify(found.own)) continue;
      const { files, manifest } = found.plugin;
      const listed = await listSkillFiles(files, found.place.path, {});
      const resources = await this.#digests.entries(manifest.name, files, listed.files, {});
      const content = await contentFrom(await sha256Hex(read.bytes), resources);
      if (options.content !== undefined && options.content !== content) return null;
      this.#settings.onEvent({ type: 'skill-read', plugin: manifest.name, version: manifest.version, skill: found.metadata.name });
      return deepFreeze({
        ...found.metadata,
        ...(content !== undefined && { content }),
        body: read.body,
        resources,
        diagnostics: read.diagnostics,
      });
    }
    return null;
  }

  async read(name: string, path: string, options: ReadResourceOptions): Promise<SkillResource | null> {
    const found = isResourcePath(path) ? findSkill(await this.#index.current(), name, options) : null;
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
    if (!isCut && file.size > maxFileBytes) throw tooLarge(path, file.size, this.#settings.label);
    const digest = file.bytes.length === file.size ? await sha256Hex(file.bytes) : undefined;
    if (wanted !== undefined && wanted !== digest) return null;
    const bytes = maxBytes === undefined ? file.bytes : file.bytes.slice(0, maxBytes);
    return { path, bytes, size: file.size, mediaType: mediaTypeOf(path), ...(digest !== undefined && { digest }) };
  }

  async contentOf(name: string, options: GetSkillOptions): Promise<string | undefined> {
    const found = findSkill(await this.#index.current(), name, options);
    return found === null ? undefined : await this.#contentNow(found);
  }

  /** The listing and all contents as one text, which a watcher compares. */
  async look(): Promise<string> {
    const { skills, listing } = await this.#index.refresh();
    const contents: (string | undefined)[] = [];
    for (const skill of skills) contents.push(await this.#contentNow(skill));
    return JSON.stringify([listing, contents]);
  }

  /** Reads only the files whose stamps changed. */
  async #contentNow({ plugin: { files, manifest }, place }: IndexedSkill): Promise<string | undefined> {
    const listed = await listSkillFiles(files, place.path, {});
    const main = listed.main === null ? undefined : await this.#digests.of(manifest.name, files, listed.main, {});
    return main === undefined ? undefined : await contentFrom(main, await this.#digests.entries(manifest.name, files, listed.files, {}));
  }
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
