import type { Skill, SkillProvider } from '@repertoire/skills-core';
import { deepFreeze, SizedCache } from '@repertoire/skills-core/internal';
import {
  isResourcePath,
  mediaTypeOf,
  sha256Hex,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillCallOptions,
  type SkillListing,
  type SkillResource,
} from '@repertoire/skills-core/provider';
import type { UnpackedArchive } from '../archive/unpack-archive.ts';
import type { SkillEntry } from '../discovery/skill-entry.ts';
import type { LiveDocument } from '../http/live-document.ts';
import { originOf } from './audience-space.ts';
import { Audiences } from './audiences.ts';
import { contentOfEntry, type ArchiveContent } from './content-of-entry.ts';
import { findEntry, listEntries } from './find-entry.ts';
import { httpSkillSettings, type HttpSkillProviderOptions } from './http-skill-provider-options.ts';
import { loadSkill, type LoadContext } from './load-skill.ts';
import { readEntryResource } from './read-entry-resource.ts';
import { withEntry } from './with-entry.ts';

const maxKnownFiles = 100_000;

/** A {@link SkillProvider} of a place on the web. */
export type HttpSkillProvider = SkillProvider & { [Symbol.asyncDispose](): Promise<void> };

/**
 * Reads skills from the web: the discovery index 0.2.0 (`/.well-known/agent-skills/index.json`),
 * the index 0.1.0 (`/.well-known/skills/index.json`), or a `skill-card.json` with files beside it.
 * Untrusted unless the host says otherwise.
 *
 * Listing is one request, and none while the index is fresh. Artifacts are named by their digests:
 * one with another digest is refused before it is parsed, and a correct one is requested once. If
 * the server is down, slow, or returns invalid data, the last good copy serves, and a diagnostic
 * says so.
 *
 * The same listing is the same frozen object as long as nothing changed. It is `complete: false`
 * beyond `limits.skills`, and with `levelOne: 'artifact'` while a skill that was never read cannot
 * be reached.
 *
 * `content` is known from the index, where that has a digest for each file, and after the download
 * for an archive. The place of a skill is its name: that is what an index identifies it by, as URLs
 * of artifacts change with what they hold.
 *
 * `readResource` with the path `SKILL.md` answers the bytes of that file, as the publisher serves
 * it or packed it.
 *
 * Diagnostics of a listing: `index-entry-invalid`, `index-entry-name`, `index-entry-description`,
 * `index-entry-type`, `index-entry-digest`, `index-entry-url`, `index-entry-files`,
 * `index-entry-duplicate`, `index-entry-metadata`, `index-truncated`, `diagnostics-cut`,
 * `card-base`, `stale-index`, `unverified`, `skill-unusable`, `cache-failed`, and those of the
 * parser of cards; of a skill: `stale-file`, `level-one-differs`, `archive-folder`,
 * `archive-litter`, and those of the parser of SKILL.md.
 *
 * @throws {SkillError} `invalid-options`, at once. Calls reject with `source-unavailable` or
 *   `timeout` where there is neither an answer nor a good copy; `getSkill` and `readResource` of
 *   one skill with `digest-mismatch`, `invalid-skill`, `invalid-path`, `limit-exceeded`,
 *   `permission-denied` or `resource-not-found`.
 * @example
 * ```ts
 * import { httpSkillProvider } from '@repertoire/skill-http';
 *
 * const provider = httpSkillProvider({ label: 'acme', url: 'https://skills.acme.example' });
 * for (const { name, description } of (await provider.listSkills()).skills) console.log(`${name}: ${description}`);
 * ```
 */
export function httpSkillProvider(options: HttpSkillProviderOptions): HttpSkillProvider {
  const settings = httpSkillSettings(options);
  const { label, limits, trusted } = settings;
  const audiences = new Audiences(settings, {
    artifacts: new SizedCache<UnpackedArchive>(limits.memoryBytes),
    documents: new SizedCache<LiveDocument<null>>(limits.memoryBytes),
    contents: new SizedCache<ArchiveContent>(maxKnownFiles),
  });

  return {
    label,
    trusted,

    async listSkills({ signal }: SkillCallOptions = {}): Promise<SkillListing> {
      const space = await audiences.current(signal);
      return space.publicListing(await listEntries(space, signal));
    },

    async getSkill(name: string, given: GetSkillOptions = {}): Promise<Skill | null> {
      const { signal } = given;
      const space = await audiences.current(signal);
      return await withEntry(space, name, given, async (entry) => {
        const { metadata, body, resources, notes } = await loadSkill(entry, space.context, signal);
        const content = await contentOfEntry(entry, space.context.contents);
        if (given.content !== undefined && given.content !== content) return null;
        const origin = originOf(entry, settings);
        return deepFreeze({ ...metadata, origin, ...(content !== undefined && { content }), body, resources, diagnostics: notes });
      });
    },

    async contentOf(name: string, { content: _any, ...given }: GetSkillOptions = {}): Promise<string | null | undefined> {
      const space = await audiences.current(given.signal);
      const { entry } = await findEntry(space, name, given);
      return entry === null ? undefined : await contentOfEntry(entry, space.context.contents);
    },

    async readResource(name: string, path: string, given: ReadResourceOptions = {}): Promise<SkillResource | null> {
      const space = await audiences.current(given.signal);
      if (!isResourcePath(path)) {
        // A source that cannot answer rejects, whatever the path.
        await listEntries(space, given.signal);
        return null;
      }
      return await withEntry(space, name, given, async (entry) => await readResourceOf(entry, path, given, space.context));
    },

    async [Symbol.asyncDispose]() {
      audiences.close();
    },
  };
}

async function readResourceOf(
  entry: SkillEntry,
  path: string,
  { maxBytes, digest, content, signal }: ReadResourceOptions,
  context: LoadContext,
): Promise<SkillResource | null> {
  const bytes = await readEntryResource(entry, path, context, signal);
  if (bytes === null || (digest !== undefined && (await sha256Hex(bytes)) !== digest)) return null;
  const isArchive = entry.content.kind === 'archive';
  if (content !== undefined && (await contentOfEntry(entry, context.contents)) !== content) {
    // An archive that was not hashed yet, or files without digests.
    if (!isArchive) return null;
    await loadSkill(entry, context, signal);
    if ((await contentOfEntry(entry, context.contents)) !== content) return null;
  }
  const told = digest ?? promisedDigest(entry, path) ?? (isArchive ? await sha256Hex(bytes) : undefined);
  const cut = bytes.slice(0, maxBytes ?? bytes.length);
  return { path, bytes: cut, size: bytes.length, mediaType: mediaTypeOf(path), ...(told !== undefined && { digest: told }) };
}

function promisedDigest({ content }: SkillEntry, path: string): string | undefined {
  if (content.kind === 'files') return content.files.get(path)?.digest;
  return content.kind === 'skill-md' ? content.digest : undefined;
}
