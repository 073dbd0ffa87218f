import { SkillError, type Skill, type SkillDiagnostic } from '@repertoire/skills-core';
import { deepFreeze, noteSkillMd } from '@repertoire/skills-core/internal';
import {
  abortable,
  sha256Hex,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillListing,
  type SkillResource,
  type SkillWriteResult,
  type WriteSkillOptions,
} from '@repertoire/skills-core/provider';
import { DiskReader } from './disk-steps.ts';
import { FileDigests } from './file-digests.ts';
import {
  defaultLimits,
  fileSystemSettings,
  type FileSystemSettings,
  type FileSystemSkillProviderOptions,
} from './file-system-skill-provider-options.ts';
import { contentOf, PinnedContents } from './pinned-content.ts';
import { listDiagnostics } from './list-diagnostics.ts';
import { listResources } from './list-resources.ts';
import { loadHashing } from './load-hashing.ts';
import type { IndexedSkill } from './merge-skills.ts';
import { readResourceFile } from './read-resource-file.ts';
import { readSkill, readSkillFile } from './read-skill.ts';
import type { Scan } from './scan-roots.ts';
import { realFolderOf } from './skill-file-record.ts';
import { SkillIndex } from './skill-index.ts';
import { resolveSkillRoots, type ResolvedSkillRoot } from './skill-roots.ts';
import { watchRoots, type RootWatcher } from './watch-roots.ts';
import { recoverWrites } from './write/recover-writes.ts';
import { writeSkill } from './write/write-skill.ts';

/** The skills of some roots: what is listed, read afresh from the disk. */
export class FolderSkills {
  readonly settings: FileSystemSettings;
  /** What all roots have in common; `undefined` if they differ. */
  readonly trusted: boolean | undefined;
  readonly watcher: RootWatcher;
  readonly #roots: readonly ResolvedSkillRoot[];
  readonly #reader = new DiskReader();
  /** For calls without a signal: a new one takes as long as a call of the disk. */
  readonly #never = new AbortController().signal;
  readonly #index: SkillIndex;
  /** `null` where digests are off. */
  readonly #digests: FileDigests | null;
  readonly #contents: PinnedContents | null;
  readonly #withReports: (listing: SkillListing) => SkillListing;
  /** Once, before anything is read. */
  #recovered: Promise<void> | null;

  constructor(options: FileSystemSkillProviderOptions) {
    const settings = fileSystemSettings(options);
    const roots = resolveSkillRoots(options.roots, settings);
    const { digests } = settings;
    this.settings = settings;
    this.trusted = roots.every(({ trusted }) => trusted === roots[0]?.trusted) ? roots[0]?.trusted : undefined;
    this.#roots = roots;
    this.#index = new SkillIndex(roots, settings, this.#reader);
    this.#digests = digests === false ? null : new FileDigests(digests === true ? null : digests.folder, settings.hardLinks);
    this.watcher = watchRoots(this.#index, roots, settings, this.#digests);
    this.#contents = this.#digests && new PinnedContents(this.#index, settings, this.#reader, this.#digests);
    this.#withReports = reportingListings(() =>
      [this.watcher.diagnostic(), this.#digests?.diagnostic ?? null].filter((report) => report !== null),
    );
    this.#recovered = settings.writable ? null : Promise.resolve();
  }

  /** Leaves as soon as the signal aborts, and converts errors of the disk. */
  async call<Value>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const inner = signal ?? this.#never;
    this.watcher.postpone();
    try {
      return await abortable(async () => {
        this.#recovered ??= recoverWrites(this.#roots, 'all');
        await this.#recovered;
        return await work(inner);
      }, signal);
    } catch (cause) {
      if (inner.aborted || SkillError.isInstance(cause)) throw cause;
      const source = this.settings.label;
      throw new SkillError(
        'source-unavailable',
        `[skill-fs] Source "${source}" cannot be read: ${String(cause)}. Check the disk and the limits of this process.`,
        { source, cause },
      );
    }
  }

  async list(signal: AbortSignal): Promise<SkillListing> {
    return this.#withReports((await this.#index.current(signal)).listing);
  }

  async get(name: string, options: GetSkillOptions, signal: AbortSignal): Promise<Skill | null> {
    // Twice at most: where the index turns out to be out of date, the second look is at a new one.
    for (const isLast of [false, true]) {
      const found = this.#find(await this.#index.current(signal), name, options);
      const skill = found && (await this.#load(found, options, isLast, signal));
      if (skill !== undefined) return skill;
    }
    const scan = await this.#index.current(signal);
    throwIfAway(scan, name, this.settings);
    return null;
  }

  async read(name: string, path: string, options: ReadResourceOptions, signal: AbortSignal): Promise<SkillResource | null> {
    const found = this.#find(await this.#index.current(signal), name, options);
    if (found === null) return null;
    const { digest, maxBytes } = options;
    const hashing = await loadHashing();
    const steps =
      path === 'SKILL.md'
        ? readSkillFile(found, options, this.settings, hashing)
        : readResourceFile(realFolderOf(found.record), path, options, this.settings, hashing);
    const read = await this.#reader.run(steps);
    if (read === null || digest === undefined) return read;
    return read.digest === digest ? { ...read, bytes: read.bytes.slice(0, maxBytes) } : null;
  }

  async contentOf(name: string, options: GetSkillOptions, signal: AbortSignal): Promise<string | undefined> {
    const found = this.#find(await this.#index.current(signal), name, options);
    return found === null ? undefined : await this.#contents?.of(found, signal);
  }

  async write(
    name: string,
    files: Readonly<Record<string, Uint8Array>> | null,
    expected: WriteSkillOptions['expected'],
    signal: AbortSignal,
  ): Promise<SkillWriteResult> {
    const scan = await this.#index.refresh(signal);
    const found = this.#find(scan, name, {}) ?? undefined;
    const { settings } = this;
    try {
      return await writeSkill({ name, files, expected, found, scan, roots: this.#roots, settings, reader: this.#reader, signal });
    } finally {
      this.#index.invalidate();
    }
  }

  async close(): Promise<void> {
    this.watcher.close();
    this.#index.close();
    await this.#digests?.save();
  }

  /** `null` for an unknown name; an error where a root that may have it is away. */
  #find(scan: Scan, name: string, { version, source, place }: GetSkillOptions): IndexedSkill | null {
    const isIt = ({ metadata: { version: own, origin } }: IndexedSkill): boolean =>
      (version === undefined || version === own) &&
      (source === undefined || source === origin?.label) &&
      (place === undefined || place === origin?.place);
    const found = scan.merged.byName.get(name)?.find(isIt);
    if (found === undefined) throwIfAway(scan, name, this.settings);
    return found ?? null;
  }

  /** `undefined` for a skill that is not as it was listed. */
  async #load(found: IndexedSkill, options: GetSkillOptions, isLast: boolean, signal: AbortSignal): Promise<Skill | null | undefined> {
    const settings = this.settings;
    const contents = this.#contents;
    const { version, withBytes } = options;
    const { metadata: listed, record } = found;
    const began = contents?.begin();
    const read = await readSkill(found, settings, this.#reader);
    signal.throwIfAborted();
    if (read === null || !read.asListed) this.#index.invalidate();
    if (read === null || read.metadata.name !== listed.name || (version !== undefined && read.metadata.version !== version))
      return undefined;
    // Another version may have become the newest.
    if (!isLast && version === undefined && read.metadata.version !== listed.version) return undefined;
    // Where a card is the manifest, its `SKILL.md` may be another file, or none.
    const main = withBytes === undefined || record.file.isCard || read.bytes.length > withBytes ? null : read.bytes;
    const room = (withBytes ?? 0) - (main?.length ?? 0);
    const list = await listResources(realFolderOf(record), settings, this.#reader, this.#digests, signal, room);
    const { resourceBytes, resources } = settings.limits;
    // It changed while it was read: without a digest the skill has no content.
    if (!isLast && contents !== null && list.entries.some(({ digest, size = 0 }) => digest === undefined && size <= resourceBytes))
      return undefined;
    const digest = contents === null ? undefined : await sha256Hex(read.bytes);
    const content = digest === undefined ? undefined : await contentOf(digest, list.entries);
    if (main !== null && settings.limits.frontmatterBytes <= defaultLimits.frontmatterBytes)
      noteSkillMd(main, { name: read.metadata.name, digest });
    if (began !== undefined) contents?.note(found, content, began);
    if (options.content !== undefined && content !== options.content) return null;
    return deepFreeze({
      ...read.metadata,
      origin: listed.origin,
      ...(content !== undefined && { content }),
      body: read.body,
      resources: list.entries,
      diagnostics: [...read.diagnostics, ...listDiagnostics(found, list, resources)],
      ...(withBytes !== undefined && {
        files: Object.fromEntries([...(main === null ? [] : [['SKILL.md', main] as const]), ...list.files]),
      }),
    });
  }
}

/**
 * An absent skill is an error where a root is away that had it. So it is where that root was never
 * read: a process that starts while a disk is away would take all of its skills for removed. A root
 * may be missing if the host said so, or if the first write makes it.
 */
function throwIfAway({ roots }: Scan, name: string, { label, writable }: FileSystemSettings): void {
  const mayHold = ({ state, lastRead, root }: Scan['roots'][number]): boolean =>
    state !== 'read' && (lastRead === null ? !root.optional && !writable : lastRead.some(({ metadata }) => metadata?.name === name));
  const away = roots.find(mayHold);
  if (away === undefined) return;
  throw new SkillError(
    'source-unavailable',
    `[skill-fs] Root ${JSON.stringify(away.root.path)} ${away.lastRead === null ? 'may have' : 'had'} a skill ${JSON.stringify(name)} and cannot be read now. Make the folder or bring it back, leave the root out, or mark it as optional.`,
    { source: label, skill: name, path: away.root.path },
  );
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
