import { SkillError, type Skill, type SkillProvider } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import {
  isResourcePath,
  resourceEntry,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillCallOptions,
  type SkillListing,
  type SkillResource,
} from '@repertoire/skills-core/provider';
import type { SkillDocument, StoredResource } from '../form/skill-document.ts';
import { createDocumentReader } from './document-reader.ts';
import { findStoredSkill, releasedSkill, type FoundSkill, type StoredSkills } from './find-stored-skill.ts';
import { readVerified } from './read-verified.ts';
import { readStoredResource } from './read-stored-resource.ts';
import { ReleaseReader } from './release-reader.ts';
import { storageSettings, type StorageSettings, type StorageSkillProviderOptions } from './storage-skill-provider-options.ts';

/** A {@link SkillProvider} of object or key-value storage. */
export interface StorageSkillProvider extends SkillProvider {
  /**
   * The search index that was published with the current release, for the option `index` of
   * `createSkillSearch`. `null` if there is none.
   *
   * @throws {SkillError} `digest-mismatch` if the bytes are not those that were published;
   *   `limit-exceeded` beyond `limits.searchIndexBytes`; `source-unavailable`
   */
  searchIndex(options?: SkillCallOptions): Promise<Uint8Array | null>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Skills in object or key-value storage, published by {@link publishSkillsToStorage}: R2, KV, S3,
 * or any backend of unstorage. Untrusted unless the host says otherwise.
 *
 * Listing reads a small pointer at most once per `staleAfterMs`, and a release when there is a new
 * one. A skill is one more read, and so is a file. Immutable data is cached up to
 * `limits.memoryBytes`. Everything is verified by its digest before it is used. The exception is a
 * file that is cut to `maxBytes`: it is read as a range if the store supports it, and only its size
 * is checked.
 *
 * A reader sees one release or the next, never a mix. If the store does not answer, or does not
 * have the whole release yet, the previous release is served with a diagnostic. While nothing
 * changes, the listing is the same frozen object. It is `complete: false` beyond `limits.skills`.
 *
 * `content` is that of the release; a skill is also got by the content that an earlier release has,
 * as long as the store keeps it. The place of a skill is its name.
 *
 * `readResource` with the path `SKILL.md` returns the author's bytes, and `null` for a skill that
 * does not come from a file.
 *
 * Diagnostics of a listing: `stale-release`, `release-unavailable`, `release-truncated`,
 * `release-entry-invalid`, `release-entry-metadata`, `release-entry-duplicate`; of a skill:
 * `release-incomplete`.
 *
 * @throws {SkillError} `invalid-options`, immediately. Calls reject with `source-unavailable` if
 *   nothing can be served or the provider was disposed. `getSkill` and `readResource` reject with
 *   `digest-mismatch`, `invalid-skill` or `limit-exceeded` for one skill.
 * @example
 * ```ts
 * import { r2SkillStore, storageSkillProvider, type R2BucketLike } from '@repertoire/skill-storage';
 *
 * export default {
 *   async fetch(_request: Request, env: { SKILLS: R2BucketLike }): Promise<Response> {
 *     const provider = storageSkillProvider({ label: 'team', store: r2SkillStore(env.SKILLS) });
 *     return Response.json((await provider.listSkills()).skills.map(({ name }) => name));
 *   },
 * };
 * ```
 */
export function storageSkillProvider(options: StorageSkillProviderOptions): StorageSkillProvider {
  const settings = storageSettings(options);
  return providerOf(settings, new ReleaseReader(settings));
}

/** The provider over a reader of releases. */
export function providerOf(settings: StorageSettings, releases: ReleaseReader): StorageSkillProvider {
  const { label, store, limits, trusted } = settings;
  const documents = createDocumentReader(settings);
  const stored: StoredSkills = { label, documents, releases };
  let closed = false;

  const opened = (signal: AbortSignal | undefined): StoredSkills => {
    signal?.throwIfAborted();
    if (closed) throw new SkillError('source-unavailable', `Source "${label}" was disposed. Make another provider.`, { source: label });
    return stored;
  };

  return {
    label,
    trusted,

    async listSkills({ signal }: SkillCallOptions = {}): Promise<SkillListing> {
      return await opened(signal).releases.listing(signal);
    },

    async searchIndex({ signal }: SkillCallOptions = {}): Promise<Uint8Array | null> {
      const { searchIndex } = await opened(signal).releases.current(signal);
      if (searchIndex === undefined) return null;
      const limit = { option: 'limits.searchIndexBytes', bytes: limits.searchIndexBytes };
      return await readVerified(store, { key: store.keys.file(searchIndex.digest), digest: searchIndex.digest, limit }, signal);
    },

    async getSkill(name: string, given: GetSkillOptions = {}): Promise<Skill | null> {
      const found = await findStoredSkill(opened(given.signal), name, given);
      return found === null ? null : skillOf(found);
    },

    async readResource(name: string, path: string, given: ReadResourceOptions = {}): Promise<SkillResource | null> {
      const { maxBytes, digest, signal } = given;
      const skills = opened(signal);
      const found = isResourcePath(path)
        ? await findStoredSkill(skills, name, given)
        : await skills.releases.current(signal).then(() => null);
      const resource = found === null ? undefined : fileOf(found.document, path);
      if (resource === undefined || (digest !== undefined && digest !== resource.digest)) return null;
      // A part of a file cannot be verified, so the whole is read.
      const whole = digest !== undefined;
      const read = await readStoredResource(settings, name, resource, whole ? undefined : maxBytes, signal);
      const bytes = whole ? read.slice(0, maxBytes) : read;
      return { path, bytes, size: resource.size, mediaType: resource.mediaType, digest: resource.digest };
    },

    async contentOf(name: string, { content: _any, ...given }: GetSkillOptions = {}): Promise<string | null | undefined> {
      const skill = releasedSkill(await opened(given.signal).releases.current(given.signal), name, given.version);
      if (skill === null || (given.place ?? name) !== name) return undefined;
      return skill.content ?? (await findStoredSkill(opened(given.signal), name, given))?.content;
    },

    async [Symbol.asyncDispose](): Promise<void> {
      closed = true;
      releases.clear();
      documents.clear();
    },
  };
}

function skillOf({ skill, document, content, diagnostics }: FoundSkill): Skill {
  const resources = document.resources.map(({ path, size, mediaType, digest, description }) =>
    resourceEntry(path, { size, mediaType, digest, ...(description !== undefined && { description }) }),
  );
  return deepFreeze({ ...skill.metadata, ...(content !== undefined && { content }), body: document.body, resources, diagnostics });
}

function fileOf({ skillMd, resources }: SkillDocument, path: string): StoredResource | undefined {
  if (path !== 'SKILL.md') return resources.find((candidate) => candidate.path === path);
  return skillMd === null ? undefined : { ...skillMd, path, mediaType: 'text/markdown' };
}
