import { SkillError, type Skill, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import {
  abortable,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillCallOptions,
  type SkillListing,
  type SkillResource,
  type SkillWriteResult,
  type WriteSkillOptions,
} from '@repertoire/skills-core/provider';
import { DiskReader } from './disk-steps.ts';
import { fileSystemSettings, type FileSystemSkillProviderOptions } from './file-system-skill-provider-options.ts';
import { FileDigests } from './file-digests.ts';
import { contentOf, HeldContents } from './held-content.ts';
import { realFolderOf } from './skill-file-record.ts';
import { listDiagnostics } from './list-diagnostics.ts';
import { listResources } from './list-resources.ts';
import type { IndexedSkill } from './merge-skills.ts';
import { loadHashing } from './load-hashing.ts';
import { readResourceFile } from './read-resource-file.ts';
import { readSkill, readSkillFile } from './read-skill.ts';
import type { Scan } from './scan-roots.ts';
import { createSkillIndex } from './skill-index.ts';
import { resolveSkillRoots } from './skill-roots.ts';
import { watchRoots } from './watch-roots.ts';
import { recoverWrites } from './write/recover-writes.ts';
import { writeSkill } from './write/write-skill.ts';

/** A {@link SkillProvider} of folders, with every optional ability of the contract. */
export type FileSystemSkillProvider = SkillProvider & Required<Pick<SkillProvider, 'watch'>> & { [Symbol.asyncDispose](): Promise<void> };

/**
 * Skills from folders on disk. Each folder with a `SKILL.md`, at whatever depth below a root, is a
 * skill; the other files in it are its resources, also a `SKILL.md` that lies in its `scripts`,
 * `references` or `assets`. So is a folder with a `skill-card.json` alone, whose `base_uri` may
 * lead to another folder of the root.
 *
 * Listing reads no more of a `SKILL.md` than its frontmatter. `getSkill` and `readResource` read
 * the disk each time, so edits are seen at once; new and removed skills are seen after
 * `staleAfterMs`, or at once where someone watches.
 *
 * The same listing is the same frozen object as long as nothing changed. It is `complete: false` if
 * a limit cut it, a folder could not be read, or a root that is not `optional` is missing.
 *
 * A root that does not exist holds no skills, and a diagnostic says so: it may be made later. One
 * that exists and cannot be read is an error diagnostic. If that is so of every root that exists,
 * calls reject.
 *
 * `readResource` with the path `SKILL.md` answers the bytes of that file. Resources are read afresh
 * each time.
 *
 * Diagnostics of a listing: `root-missing`, `root-unreadable`, `folder-unreadable`,
 * `discovery-truncated`, `link-broken`, `link-outside-root`, `skill-file-name`,
 * `skill-file-ignored`, `skill-unreadable`, `skill-too-large`, `skill-shadowed`, `skill-duplicate`,
 * `skill-look-alike`, `phase-file`, `hard-link-refused`, `watch-degraded`, `digests-not-kept`,
 * `skills-in-hidden-folder`, `skills-too-deep`, `openai-settings-unusable`, `card-unusable`,
 * `card-without-skill-md`, `roots-share-label`. Those of a skill: `skill-among-resources`,
 * `resources-truncated`, `link-outside-skill`, `folder-unreadable`, `hard-link-refused`. Both also
 * have those of the parser.
 *
 * @throws {SkillError} `invalid-options`, at once. Calls reject with `source-unavailable` where no
 *   root can be read or the provider was disposed, and `readResource` with `limit-exceeded` for a
 *   huge file without `maxBytes`.
 * @example
 * ```ts
 * import { fileSystemSkillProvider } from '@repertoire/skill-fs';
 *
 * const provider = fileSystemSkillProvider({ roots: ['./skills'] });
 * for (const { name, description } of (await provider.listSkills()).skills) console.log(`${name}: ${description}`);
 * ```
 */
export function fileSystemSkillProvider(options: FileSystemSkillProviderOptions): FileSystemSkillProvider {
  const settings = fileSystemSettings(options);
  const roots = resolveSkillRoots(options.roots, settings);
  const reader = new DiskReader();
  const index = createSkillIndex(roots, settings, reader);
  const watcher = watchRoots(index, roots, settings);
  const { digests: kept } = settings;
  const digests = kept === false ? null : new FileDigests(reader, kept === true ? null : kept.folder, settings.hardLinks);
  const withReports = reportingListings(() => [watcher.diagnostic(), digests?.diagnostic ?? null].filter((report) => report !== null));
  const contents = digests === null ? null : new HeldContents(index, settings, reader, digests);
  /** Once, before anything is read. */
  let recovered: Promise<void> | null = settings.writable ? null : Promise.resolve();
  const isTrusted = roots.every(({ trusted }) => trusted === roots[0]?.trusted) ? roots[0]?.trusted : undefined;

  /** `null` for an unknown name; an error where a root that had it is away. */
  const absent = (scan: Scan, name: string): null => {
    const root = rootAway(scan, name);
    if (root === undefined) return null;
    throw new SkillError(
      'source-unavailable',
      `[skill-fs] Root ${JSON.stringify(root)} had a skill ${JSON.stringify(name)} and cannot be read now. Bring the folder back, or leave the root out.`,
      { source: settings.label, skill: name, path: root },
    );
  };

  const getSkill = async (name: string, options: GetSkillOptions, signal: AbortSignal): Promise<Skill | null> => {
    const { version, withBytes } = options;
    const most = settings.limits.resourceBytes;
    // Twice at most: where the index turns out to be out of date, the second look is at a new one.
    for (const attempt of [0, 1]) {
      const scan = await index.current(signal);
      const found = findSkill(scan, name, options);
      const began = contents?.begin();
      if (found === undefined) return absent(scan, name);
      const read = await readSkill(found, settings, reader);
      signal.throwIfAborted();
      if (read === null || !read.asListed) index.invalidate();
      if (read === null || read.metadata.name !== name || (version !== undefined && read.metadata.version !== version)) continue;
      // Another version may have become the newest.
      if (attempt === 0 && version === undefined && read.metadata.version !== found.metadata.version) continue;
      const folder = realFolderOf(found.record);
      // Where a card is the manifest, its `SKILL.md` may be another file, or none.
      const main = withBytes === undefined || found.record.file.isCard || read.bytes.length > withBytes ? null : read.bytes;
      const list = await listResources(folder, settings, reader, digests, signal, (withBytes ?? 0) - (main?.length ?? 0));
      // It changed while it was read: without a digest the skill has no content.
      if (attempt === 0 && digests !== null && list.entries.some(({ digest, size = 0 }) => digest === undefined && size <= most)) continue;
      const content = digests === null ? undefined : await contentOf(read.bytes, list.entries);
      if (began !== undefined) contents?.note(found, content, began);
      if (options.content !== undefined && content !== options.content) return null;
      const diagnostics = [...read.diagnostics, ...listDiagnostics(found, list, settings.limits.resources)];
      const { origin } = found.metadata;
      const known = content === undefined ? { origin } : { origin, content };
      const files = withBytes !== undefined && {
        files: Object.fromEntries([...(main === null ? [] : [['SKILL.md', main] as const]), ...list.files]),
      };
      return deepFreeze({ ...read.metadata, ...known, body: read.body, resources: list.entries, diagnostics, ...files });
    }
    return absent(await index.current(signal), name);
  };

  return {
    label: settings.label,
    ...(isTrusted !== undefined && { trusted: isTrusted }),

    async listSkills({ signal }: SkillCallOptions = {}): Promise<SkillListing> {
      return withReports((await untilAborted(signal, (inner) => index.current(inner))).listing);
    },

    async getSkill(name: string, given: GetSkillOptions = {}): Promise<Skill | null> {
      return await untilAborted(given.signal, (inner) => getSkill(name, given, inner));
    },

    async readResource(name: string, path: string, given: ReadResourceOptions = {}): Promise<SkillResource | null> {
      const { digest, maxBytes } = given;
      return await untilAborted(given.signal, async (inner) => {
        const scan = await index.current(inner);
        const found = findSkill(scan, name, given);
        if (found === undefined) return absent(scan, name);
        const hashing = await loadHashing();
        const steps =
          path === 'SKILL.md'
            ? readSkillFile(found, given, settings, hashing)
            : readResourceFile(realFolderOf(found.record), path, given, settings, hashing);
        const read = await reader.run(steps);
        if (read === null || digest === undefined) return read;
        return read.digest === digest ? { ...read, bytes: read.bytes.slice(0, maxBytes) } : null;
      });
    },

    ...(contents !== null && {
      async contentOf(name: string, given: GetSkillOptions = {}): Promise<string | null | undefined> {
        return await untilAborted(given.signal, async (inner) => {
          const scan = await index.current(inner);
          const found = findSkill(scan, name, given);
          if (found !== undefined) return await contents.of(found, inner);
          absent(scan, name);
          return undefined;
        });
      },
    }),

    ...(settings.writable && {
      async write(name: string, files: Readonly<Record<string, Uint8Array>> | null, given: WriteSkillOptions): Promise<SkillWriteResult> {
        return await untilAborted(given.signal, async (inner) => {
          const scan = await index.refresh(inner);
          const found = findSkill(scan, name, {});
          if (found === undefined) absent(scan, name);
          try {
            return await writeSkill({ name, files, expected: given.expected, found, scan, roots, settings, reader, signal: inner });
          } finally {
            index.invalidate();
          }
        });
      },
    }),

    watch: (onChange) => watcher.subscribe(onChange),

    async [Symbol.asyncDispose]() {
      watcher.close();
      index.close();
      await digests?.save();
    },
  };

  /** Leaves as soon as the signal aborts, and converts errors of the disk. */
  async function untilAborted<Value>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const inner = signal ?? new AbortController().signal;
    try {
      return await abortable(async () => {
        recovered ??= recoverWrites(roots, 'all');
        await recovered;
        return await work(inner);
      }, signal);
    } catch (cause) {
      if (inner.aborted || SkillError.isInstance(cause)) throw cause;
      throw new SkillError(
        'source-unavailable',
        `[skill-fs] Source "${settings.label}" cannot be read: ${String(cause)}. Check the disk and the limits of this process.`,
        {
          source: settings.label,
          cause,
        },
      );
    }
  }
}

function findSkill({ merged }: Scan, name: string, { version, source, place }: GetSkillOptions): IndexedSkill | undefined {
  const isIt = ({ metadata: { version: own, origin } }: IndexedSkill): boolean =>
    (version === undefined || version === own) &&
    (source === undefined || source === origin?.label) &&
    (place === undefined || place === origin?.place);
  return merged.byName.get(name)?.find(isIt);
}

function rootAway({ roots }: Scan, name: string): string | undefined {
  const isAway = ({ state, lastRead }: Scan['roots'][number]): boolean =>
    state !== 'read' && lastRead?.some(({ metadata }) => metadata?.name === name) === true;
  return roots.find(isAway)?.root.path;
}

/** Adds reports of the watcher and the digests. Equal listings stay the same frozen object. */
function reportingListings(reportsNow: () => readonly SkillDiagnostic[]): (listing: SkillListing) => SkillListing {
  let last: { readonly of: SkillListing; readonly reports: readonly SkillDiagnostic[]; readonly listing: SkillListing } | null = null;
  return (listing) => {
    const reports = reportsNow();
    if (reports.length === 0) return listing;
    const isSame =
      last?.of === listing && last.reports.length === reports.length && reports.every((report, at) => report === last?.reports[at]);
    if (last === null || !isSame) {
      last = { of: listing, reports, listing: deepFreeze({ ...listing, diagnostics: [...listing.diagnostics, ...reports] }) };
    }
    return last.listing;
  };
}
