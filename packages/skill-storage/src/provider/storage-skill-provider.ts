import { copyOf, SkillError, type GetSkillOptions, type ReadResourceOptions, type Skill, type SkillCallOptions, type SkillDiagnostic, type SkillMetadata, type SkillOrigin, type SkillProvider, type SkillResource } from '@repertoire/skills-core';
import { isResourcePath, resourceEntry } from '@repertoire/skills-core/provider';
import type { ReleasedSkill } from '../form/release.ts';
import type { SkillDocument } from '../form/skill-document.ts';
import { createDocumentReader } from './document-reader.ts';
import { readStoredResource } from './read-stored-resource.ts';
import { createReleaseReader, type ServedRelease } from './release-reader.ts';
import { storageSettings, type StorageSkillProviderOptions } from './storage-skill-provider-options.ts';

/** A {@link SkillProvider} of object or key-value storage. */
export type StorageSkillProvider = SkillProvider &
  Required<Pick<SkillProvider, 'diagnostics'>> & { [Symbol.asyncDispose](): Promise<void> };

/** A skill of the newest release that has it whole. */
interface FoundSkill {
  readonly skill: ReleasedSkill;
  readonly document: SkillDocument;
}

/** Notes on skills that were asked for. */
const maxNotes = 100;

/**
 * Skills that {@link publishSkills} put into object or key-value storage: R2, KV, S3, or whatever unstorage reaches. Untrusted unless the host says otherwise.
 *
 * Listing reads a small pointer, at most once in `staleAfterMs`, and a release when there is a new one. A skill is one further read, a file another one; what
 * never changes is kept in memory up to `limits.memoryBytes`. Whatever is read is verified by its digest before it is looked at; only of a file that is cut to
 * `maxBytes`, which is read as a range where the store can, no more than the size is.
 *
 * A reader sees one release or the next, never a mix. Where the store does not answer, or not yet with all of a release, the release before serves, and a
 * diagnostic says so.
 *
 * Diagnostics: `stale-release`, `release-unavailable`, `release-incomplete`, `release-truncated`, `release-entry-invalid`, `release-entry-metadata`,
 * `release-entry-duplicate`, `skill-unusable`.
 *
 * @throws {SkillError} `invalid-options`, at once. Calls reject with `source-unavailable` where there is nothing to serve or the provider was disposed;
 * `getSkill` and `readResource` of one skill with `digest-mismatch`, `invalid-skill` or `limit-exceeded`.
 * @example
 * ```ts
 * import { r2SkillStore, storageSkillProvider, type R2BucketLike } from '@repertoire/skill-storage';
 *
 * export default {
 *   async fetch(_request: Request, env: { SKILLS: R2BucketLike }): Promise<Response> {
 *     const provider = storageSkillProvider({ label: 'team', store: r2SkillStore(env.SKILLS) });
 *     return Response.json((await provider.listSkills()).map(({ name }) => name));
 *   },
 * };
 * ```
 */
export function storageSkillProvider(options: StorageSkillProviderOptions): StorageSkillProvider {
  const settings = storageSettings(options);
  const { label } = settings;
  const origin: SkillOrigin = { kind: 'storage', label, trusted: settings.trusted };
  const releases = createReleaseReader(settings);
  const documents = createDocumentReader(settings);
  const notes = new Map<string, SkillDiagnostic>();
  let closed = false;

  const current = async (signal: AbortSignal | undefined): Promise<ServedRelease> => {
    signal?.throwIfAborted();
    if (closed) throw new SkillError('source-unavailable', `Source "${label}" was disposed. Make another provider.`, { source: label });
    return await releases.current(signal);
  };

  const note = (name: string, diagnostic: SkillDiagnostic): void => {
    if (notes.size < maxNotes || notes.has(name)) notes.set(name, diagnostic);
  };

  const findBefore = async (
    id: string,
    name: string,
    version: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<FoundSkill | null> => {
    const older = await releases.read(id, signal);
    const skill = older === null ? null : findSkill(older, name, version);
    if (skill === null || skill.document === null) return null;
    const document = await documents.read(skill.document, name, signal);
    return document === null ? null : { skill, document };
  };

  /** The skill as the newest release has it whose level 2 is there: level 1, body and files are always of one release. */
  const find = async (name: string, version: string | undefined, signal: AbortSignal | undefined): Promise<FoundSkill | null> => {
    const served = await current(signal);
    const skill = findSkill(served, name, version);
    if (skill === null || skill.document === null) return null;
    try {
      const document = await documents.read(skill.document, name, signal);
      if (document !== null) {
        notes.delete(name);
        return { skill, document };
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (SkillError.isInstance(error)) note(name, unusable(name, error));
      throw error;
    }
    for (const id of served.previous) {
      const before = await findBefore(id, name, version, signal).catch((error: unknown) => {
        signal?.throwIfAborted();
        // What cannot be used there either is no reason not to look further back.
        if (!SkillError.isInstance(error)) throw error;
        return null;
      });
      if (before === null) continue;
      note(name, incomplete(name, served.id));
      return before;
    }
    throw new SkillError(
      'source-unavailable',
      `Skill ${JSON.stringify(name)} is listed by "${label}", and its contents are not there, or not visible here yet. Where it was published a moment ago, try again in a minute; else publish again.`,
      { skill: name, source: label },
    );
  };

  return {
    label,

    async listSkills({ signal }: SkillCallOptions = {}): Promise<readonly SkillMetadata[]> {
      return (await current(signal)).skills.map(({ metadata }) => withOrigin(metadata, origin));
    },

    async getSkill(name: string, { version, signal }: GetSkillOptions = {}): Promise<Skill | null> {
      const found = await find(name, version, signal);
      if (found === null) return null;
      const { body, resources } = found.document;
      const entries = resources.map(({ path, size, mediaType, digest }) => resourceEntry(path, { size, mediaType, digest }));
      return { ...withOrigin(found.skill.metadata, origin), body, resources: entries };
    },

    async readResource(name: string, path: string, { version, maxBytes, signal }: ReadResourceOptions = {}): Promise<SkillResource | null> {
      const found = isResourcePath(path) ? await find(name, version, signal) : await current(signal).then(() => null);
      const resource = found?.document.resources.find((candidate) => candidate.path === path);
      if (resource === undefined) return null;
      try {
        const bytes = await readStoredResource(settings, name, resource, maxBytes, signal);
        return { path, bytes, size: resource.size, mediaType: resource.mediaType, digest: resource.digest };
      } catch (error) {
        signal?.throwIfAborted();
        if (SkillError.isInstance(error) && error.code === 'digest-mismatch') note(name, unusable(name, error));
        throw error;
      }
    },

    async diagnostics({ signal }: SkillCallOptions = {}): Promise<readonly SkillDiagnostic[]> {
      const listed = new Set((await current(signal)).skills.map(({ metadata }) => metadata.name));
      for (const name of notes.keys()) if (!listed.has(name)) notes.delete(name);
      return [...releases.diagnostics(), ...notes.values()].map((diagnostic) => ({ ...diagnostic }));
    },

    async [Symbol.asyncDispose](): Promise<void> {
      closed = true;
      releases.clear();
      documents.clear();
      notes.clear();
    },
  };
}

function findSkill({ skills }: Pick<ServedRelease, 'skills'>, name: string, version: string | undefined): ReleasedSkill | null {
  return skills.find(({ metadata }) => metadata.name === name && (version === undefined || metadata.version === version)) ?? null;
}

function withOrigin(metadata: SkillMetadata, origin: SkillOrigin): SkillMetadata {
  return { ...copyOf(metadata), origin: { ...origin } };
}

function unusable(name: string, { message, path }: SkillError): SkillDiagnostic {
  return {
    code: 'skill-unusable',
    severity: 'error',
    message,
    skill: name,
    ...(path !== undefined && { path }),
    fix: 'Publish the skills again, with verification.',
  };
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
