import { SkillError, type Skill, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
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
import { contentOfFiles } from '../form/content-of-files.ts';
import type { ReleasedSkill } from '../form/release.ts';
import type { SkillDocument, StoredResource } from '../form/skill-document.ts';
import { createDocumentReader } from './document-reader.ts';
import { readVerified } from './read-verified.ts';
import { readStoredResource } from './read-stored-resource.ts';
import { createReleaseReader, type ReleaseReader, type ServedRelease } from './release-reader.ts';
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

interface FoundSkill {
  readonly skill: ReleasedSkill;
  readonly document: SkillDocument;
  /** `undefined` for a skill that does not come from a file, in a release of an earlier version. */
  readonly content: string | undefined;
  /** A diagnostic if it is from an older release than the listed one. */
  readonly diagnostics: readonly SkillDiagnostic[];
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
  return providerOf(settings, createReleaseReader(settings));
}

/** The provider over a reader of releases. */
export function providerOf(settings: StorageSettings, releases: ReleaseReader): StorageSkillProvider {
  const { label } = settings;
  const documents = createDocumentReader(settings);
  let closed = false;

  const assertUsable = (signal: AbortSignal | undefined): void => {
    signal?.throwIfAborted();
    if (closed) throw new SkillError('source-unavailable', `Source "${label}" was disposed. Make another provider.`, { source: label });
  };

  const current = async (signal: AbortSignal | undefined): Promise<ServedRelease> => {
    assertUsable(signal);
    return await releases.current(signal);
  };

  const findBefore = async (id: string, name: string, options: GetSkillOptions): Promise<Omit<FoundSkill, 'diagnostics'> | null> => {
    const older = await releases.read(id, options.signal);
    const skill = older === null ? null : findSkill(older, name, options.version);
    return skill === null ? null : await withDocument(skill, options);
  };

  /** A skill with its document; `null` if missing, or of another content. */
  const withDocument = async (
    skill: ReleasedSkill,
    { content: wanted, signal }: GetSkillOptions,
  ): Promise<Omit<FoundSkill, 'diagnostics'> | null> => {
    const document = await documents.read(skill.document, skill.metadata.name, signal);
    if (document === null) return null;
    const content = document.skillMd === null ? skill.content : await contentOfFiles(document.skillMd.digest, document.resources);
    return wanted === undefined || wanted === content ? { skill, document, content } : null;
  };

  /** The newest complete skill, or that of a content. All levels come from one release. */
  const find = async (name: string, options: GetSkillOptions): Promise<FoundSkill | null> => {
    const { signal, place = name, content } = options;
    const served = await current(signal);
    if (place !== name) return null;
    const skill = findSkill(served, name, options.version);
    if (skill === null && content === undefined) return null;
    const found = skill === null ? null : await withDocument(skill, options);
    if (found !== null) return { ...found, diagnostics: [] };
    for (const id of served.previous) {
      const before = await findBefore(id, name, options).catch((error: unknown) => {
        signal?.throwIfAborted();
        // If it is unusable there too, an even older release is tried.
        if (!SkillError.isInstance(error)) throw error;
        return null;
      });
      if (before !== null) return { ...before, diagnostics: content === undefined ? [incomplete(name, served.id)] : [] };
    }
    if (content !== undefined) return null;
    throw new SkillError(
      'source-unavailable',
      `Skill ${JSON.stringify(name)} is listed by "${label}", and its contents are not there, or not visible here yet. Where it was published a moment ago, try again in a minute; else publish again.`,
      { skill: name, source: label },
    );
  };

  return {
    label,
    trusted: settings.trusted,

    async listSkills({ signal }: SkillCallOptions = {}): Promise<SkillListing> {
      assertUsable(signal);
      return await releases.listing(signal);
    },

    async searchIndex({ signal }: SkillCallOptions = {}): Promise<Uint8Array | null> {
      const { searchIndex } = await current(signal);
      if (searchIndex === undefined) return null;
      const { store, keys, limits } = settings;
      const limit = { option: 'limits.searchIndexBytes', bytes: limits.searchIndexBytes };
      return await readVerified(store, { key: keys.file(searchIndex.digest), digest: searchIndex.digest, limit }, signal);
    },

    async getSkill(name: string, given: GetSkillOptions = {}): Promise<Skill | null> {
      const found = await find(name, given);
      if (found === null) return null;
      const { body, resources } = found.document;
      const entries = resources.map(({ path, size, mediaType, digest, description }) =>
        resourceEntry(path, { size, mediaType, digest, ...(description !== undefined && { description }) }),
      );
      const { content, diagnostics } = found;
      return deepFreeze({ ...found.skill.metadata, ...(content !== undefined && { content }), body, resources: entries, diagnostics });
    },

    async readResource(name: string, path: string, given: ReadResourceOptions = {}): Promise<SkillResource | null> {
      const { maxBytes, digest, signal } = given;
      const found = isResourcePath(path) ? await find(name, given) : await current(signal).then(() => null);
      const resource = found === null ? undefined : fileOf(found.document, path);
      if (resource === undefined || (digest !== undefined && digest !== resource.digest)) return null;
      // A part of a file cannot be verified, so the whole is read.
      const whole = digest !== undefined;
      const read = await readStoredResource(settings, name, resource, whole ? undefined : maxBytes, signal);
      const bytes = whole ? read.slice(0, maxBytes) : read;
      return { path, bytes, size: resource.size, mediaType: resource.mediaType, digest: resource.digest };
    },

    async contentOf(name: string, { content: _any, ...given }: GetSkillOptions = {}): Promise<string | null | undefined> {
      const skill = findSkill(await current(given.signal), name, given.version);
      if (skill === null || (given.place ?? name) !== name) return undefined;
      return skill.content ?? (await find(name, given))?.content;
    },

    async [Symbol.asyncDispose](): Promise<void> {
      closed = true;
      releases.clear();
      documents.clear();
    },
  };
}

function findSkill({ skills }: Pick<ServedRelease, 'skills'>, name: string, version: string | null | undefined): ReleasedSkill | null {
  return skills.find(({ metadata }) => metadata.name === name && (version === undefined || metadata.version === version)) ?? null;
}

function fileOf({ skillMd, resources }: SkillDocument, path: string): StoredResource | undefined {
  if (path !== 'SKILL.md') return resources.find((candidate) => candidate.path === path);
  return skillMd === null ? undefined : { ...skillMd, path, mediaType: 'text/markdown' };
}

function incomplete(name: string, id: string): SkillDiagnostic {
  return {
    code: 'release-incomplete',
    severity: 'warning',
    message: `Skill ${JSON.stringify(name)} serves as it was before, since release ${id.slice(0, 12)} is not visible here as a whole yet.`,
    skill: name,
    fix: 'Wait a minute where it was published just now. Else publish the skills again.',
  };
}
