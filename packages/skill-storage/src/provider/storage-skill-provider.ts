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
import type { ReleasedSkill } from '../form/release.ts';
import type { SkillDocument, StoredResource } from '../form/skill-document.ts';
import { createDocumentReader } from './document-reader.ts';
import { readVerified } from './read-verified.ts';
import { readStoredResource } from './read-stored-resource.ts';
import { createReleaseReader, type ServedRelease } from './release-reader.ts';
import { storageSettings, type StorageSkillProviderOptions } from './storage-skill-provider-options.ts';

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

/** A skill of the newest release that contains it completely. */
interface FoundSkill {
  readonly skill: ReleasedSkill;
  readonly document: SkillDocument;
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
  const { label } = settings;
  const releases = createReleaseReader(settings);
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

  const findBefore = async (
    id: string,
    name: string,
    version: string | null | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Omit<FoundSkill, 'diagnostics'> | null> => {
    const older = await releases.read(id, signal);
    const skill = older === null ? null : findSkill(older, name, version);
    if (skill === null) return null;
    const document = await documents.read(skill.document, name, signal);
    return document === null ? null : { skill, document };
  };

  /**
   * The skill from the newest release whose level 2 is available. Level 1, body and files always
   * come from one release.
   */
  const find = async (name: string, version: string | null | undefined, signal: AbortSignal | undefined): Promise<FoundSkill | null> => {
    const served = await current(signal);
    const skill = findSkill(served, name, version);
    if (skill === null) return null;
    const document = await documents.read(skill.document, name, signal);
    if (document !== null) return { skill, document, diagnostics: [] };
    for (const id of served.previous) {
      const before = await findBefore(id, name, version, signal).catch((error: unknown) => {
        signal?.throwIfAborted();
        // If it is unusable there too, an even older release is tried.
        if (!SkillError.isInstance(error)) throw error;
        return null;
      });
      if (before !== null) return { ...before, diagnostics: [incomplete(name, served.id)] };
    }
    throw new SkillError(
      'source-unavailable',
      `Skill ${JSON.stringify(name)} is listed by "${label}", and its contents are not there, or not visible here yet. Where it was published a moment ago, try again in a minute; else publish again.`,
      { skill: name, source: label },
    );
  };

  return {
    label,

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

    async getSkill(name: string, { version, signal }: GetSkillOptions = {}): Promise<Skill | null> {
      const found = await find(name, version, signal);
      if (found === null) return null;
      const { body, resources } = found.document;
      const entries = resources.map(({ path, size, mediaType, digest, description }) =>
        resourceEntry(path, { size, mediaType, digest, ...(description !== undefined && { description }) }),
      );
      return deepFreeze({ ...found.skill.metadata, body, resources: entries, diagnostics: found.diagnostics });
    },

    async readResource(name: string, path: string, { version, maxBytes, signal }: ReadResourceOptions = {}): Promise<SkillResource | null> {
      const found = isResourcePath(path) ? await find(name, version, signal) : await current(signal).then(() => null);
      const resource = found === null ? undefined : fileOf(found.document, path);
      if (resource === undefined) return null;
      const bytes = await readStoredResource(settings, name, resource, maxBytes, signal);
      return { path, bytes, size: resource.size, mediaType: resource.mediaType, digest: resource.digest };
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
