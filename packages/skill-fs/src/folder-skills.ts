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
import { DiskPace, SlowDiskError } from './disk-pace.ts';
import type { DiskThread } from './disk-thread.ts';
import { FileDigests } from './file-digests.ts';
import {
  defaultLimits,
  fileSystemSettings,
  type FileSystemSettings,
  type FileSystemSkillProviderOptions,
} from './file-system-skill-provider-options.ts';
import { listDiagnostics } from './list-diagnostics.ts';
import { contentOf, listResources } from './list-resources.ts';
import type { IndexedSkill } from './merge-skills.ts';
import { readFileOf, readSkill, realSkillFile } from './read-skill.ts';
import type { Scan } from './scan-roots.ts';
import { realFolderOf, type SkillFileRecord } from './skill-file-record.ts';
import { SkillIndex } from './skill-index.ts';
import { resolveSkillRoots, type ResolvedSkillRoot } from './skill-roots.ts';
import { RootWatcher } from './watch-roots.ts';
import { recoverWrites } from './write/recover-writes.ts';
import { writeSkill } from './write/write-skill.ts';

type Files = Readonly<Record<string, Uint8Array>>;

interface KnownContent {
  readonly content: string | undefined;
  /** `SkillIndex.asked` when it was read. */
  readonly asked: number;
  readonly at: number;
}

/**
 * The skills of some roots: what is listed, read afresh from the disk. Where that turns out to be
 * slow, a thread does all of it, with the same code.
 */
export class FolderSkills {
  readonly settings: FileSystemSettings;
  /** What all roots have in common; `undefined` if they differ. */
  readonly trusted: boolean | undefined;
  readonly #roots: readonly ResolvedSkillRoot[];
  readonly #pace: DiskPace;
  /** For calls without a signal: a new one takes as long as a call of the disk. */
  readonly #never = new AbortController().signal;
  readonly #index: SkillIndex;
  /** `null` where digests are off. */
  readonly #digests: FileDigests | null;
  readonly #watcher: RootWatcher;
  /** The contents of skills, kept for as long as a listing is. */
  readonly #contents = new WeakMap<SkillFileRecord, KnownContent>();
  readonly #withReports: (listing: SkillListing) => SkillListing;
  #thread: Promise<DiskThread | null> | null = null;
  /** Once, before anything is read. */
  #recovered: Promise<void> | null;

  /** @param isInThread whether nobody else could wait for the disk. @default false */
  constructor(options: FileSystemSkillProviderOptions, isInThread = false) {
    const settings = fileSystemSettings(options);
    const roots = resolveSkillRoots(options.roots, settings);
    const { digests } = settings;
    this.settings = settings;
    this.trusted = roots.every(({ trusted }) => trusted === roots[0]?.trusted) ? roots[0]?.trusted : undefined;
    this.#roots = roots;
    this.#pace = new DiskPace(!isInThread);
    this.#index = new SkillIndex(roots, settings, this.#pace);
    this.#digests = digests === false ? null : new FileDigests(digests === true ? null : digests.folder, settings.hardLinks, this.#pace);
    this.#watcher = new RootWatcher({ index: this.#index, roots, settings, digests: this.#digests, pace: this.#pace });
    this.#withReports = reportingListings(() =>
      [this.#watcher.diagnostic, this.#digests?.diagnostic ?? null].filter((report) => report !== null),
    );
    this.#recovered = settings.writable ? null : Promise.resolve();
  }

  /**
   * Does the work here, or the same in the thread of a slow disk. Leaves as soon as the signal
   * aborts, and converts errors of the disk.
   */
  async ask<Method extends keyof FolderCalls>(
    method: Method,
    given: Parameters<FolderCalls[Method]>,
    signal: AbortSignal | undefined,
  ): Promise<Awaited<ReturnType<FolderCalls[Method]>>> {
    const inner = signal ?? this.#never;
    this.#watcher.postpone();
    const calls = this.calls(inner);
    const here = calls[method] as (...all: Parameters<FolderCalls[Method]>) => ReturnType<FolderCalls[Method]>;
    try {
      return await abortable(async () => {
        this.#recovered ??= recoverWrites(this.#roots, 'all');
        await this.#recovered;
        if (this.#pace.isSlow) this.#thread ??= this.#startThread();
        if (this.#thread === null) {
          try {
            return await here(...given);
          } catch (error) {
            if (!(error instanceof SlowDiskError)) throw error;
            this.#thread ??= this.#startThread();
          }
        }
        const thread = await this.#thread;
        return (await (thread === null ? here(...given) : thread.ask(method, given, inner))) as Awaited<ReturnType<FolderCalls[Method]>>;
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

  /** What the thread of a slow disk is asked for. */
  calls(signal: AbortSignal): FolderCalls {
    return {
      list: async () => this.#withReports((await this.#index.current(signal)).listing),
      get: (name, options) => this.#get(name, options, signal),
      read: (name, path, options) => this.#read(name, path, options, signal),
      contentOf: (name, options) => this.#contentOf(name, options, signal),
      write: (name, files, expected) => this.#write(name, files, expected, signal),
    };
  }

  subscribe(onChange: () => void): () => void {
    return this.#watcher.subscribe(onChange);
  }

  async close(): Promise<void> {
    this.#watcher.close();
    this.#index.close();
    await this.#digests?.save();
    await (await this.#thread)?.close();
  }

  /** `null` where none can be started: then the disk is called here, however slow. */
  async #startThread(): Promise<DiskThread | null> {
    const { DiskThread } = await import('./disk-thread.ts');
    const thread = await DiskThread.start(this.settings, this.#roots, () => {
      this.#thread = null;
    });
    if (thread === null) this.#pace.giveUpThreads();
    else this.#watcher.moveTo(thread);
    return thread;
  }

  async #get(name: string, options: GetSkillOptions, signal: AbortSignal): Promise<Skill | null> {
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

  async #read(name: string, path: string, options: ReadResourceOptions, signal: AbortSignal): Promise<SkillResource | null> {
    const found = this.#find(await this.#index.current(signal), name, options);
    if (found === null) return null;
    const { digest, maxBytes } = options;
    await this.#pace.begin(found.record.file.path);
    const read = await readFileOf(found, path, options, this.settings, this.#pace);
    if (read === null || digest === undefined) return read;
    return read.digest === digest ? { ...read, bytes: read.bytes.slice(0, maxBytes) } : null;
  }

  /**
   * The content of a skill as it is on disk, no older than `staleAfterMs`, without reading a file
   * that looks as it did; `undefined` where a file has no digest, or has no `SKILL.md`.
   */
  async #contentOf(name: string, options: GetSkillOptions, signal: AbortSignal): Promise<string | undefined> {
    const found = this.#find(await this.#index.current(signal), name, options);
    const digests = this.#digests;
    if (found === null || digests === null) return undefined;
    const known = this.#contents.get(found.record);
    const age = known === undefined ? -1 : this.settings.now() - known.at;
    // A clock that was set back proves nothing.
    if (known?.asked === this.#index.asked && age >= 0 && age < this.settings.staleAfterMs) return known.content;
    const began = this.#beginContent();
    await this.#pace.begin(found.record.file.path);
    await digests.prepare();
    const main = await this.#mainDigest(found, digests);
    const list = await listResources(realFolderOf(found.record), this.settings, this.#pace, digests, signal);
    const content = main === undefined ? undefined : await contentOf(main, list.entries);
    this.#contents.set(found.record, { content, ...began });
    return content;
  }

  async #mainDigest(skill: IndexedSkill, digests: FileDigests): Promise<string | undefined> {
    const real = realSkillFile(skill, this.settings);
    return real === null ? undefined : ((await digests.file(real, Number.MAX_SAFE_INTEGER))?.digest ?? undefined);
  }

  async #write(name: string, files: Files | null, expected: WriteSkillOptions['expected'], signal: AbortSignal): Promise<SkillWriteResult> {
    const scan = await this.#index.refresh(signal);
    const found = this.#find(scan, name, {}) ?? undefined;
    const { settings } = this;
    try {
      return await writeSkill({ name, files, expected, found, scan, roots: this.#roots, settings, pace: this.#pace, signal });
    } finally {
      this.#index.invalidate();
    }
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
    const { settings } = this;
    const digests = this.#digests;
    const { version, withBytes } = options;
    const { metadata: listed, record } = found;
    const began = this.#beginContent();
    await this.#pace.begin(record.file.path);
    const read = await readSkill(found, settings, this.#pace);
    signal.throwIfAborted();
    if (read === null || !read.asListed) this.#index.invalidate();
    if (read === null || read.metadata.name !== listed.name || (version !== undefined && read.metadata.version !== version))
      return undefined;
    // Another version may have become the newest.
    if (!isLast && version === undefined && read.metadata.version !== listed.version) return undefined;
    // Where a card is the manifest, its `SKILL.md` may be another file, or none.
    const main = withBytes === undefined || record.file.isCard || read.bytes.length > withBytes ? null : read.bytes;
    const room = (withBytes ?? 0) - (main?.length ?? 0);
    const list = await listResources(realFolderOf(record), settings, this.#pace, digests, signal, room);
    const { resourceBytes, resources } = settings.limits;
    // It changed while it was read: without a digest the skill has no content.
    if (!isLast && digests !== null && list.entries.some(({ digest, size = 0 }) => digest === undefined && size <= resourceBytes))
      return undefined;
    const digest = digests === null ? undefined : await sha256Hex(read.bytes);
    const content = digest === undefined ? undefined : await contentOf(digest, list.entries);
    if (main !== null && settings.limits.frontmatterBytes <= defaultLimits.frontmatterBytes)
      noteSkillMd(main, { name: read.metadata.name, digest });
    // A load must not differ from what is told next.
    if (digests !== null) this.#contents.set(record, { content, ...began });
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

  /** What a reading has to remember before it begins. */
  #beginContent(): Omit<KnownContent, 'content'> {
    return { asked: this.#index.asked, at: this.settings.now() };
  }
}

/** What is asked of the disk, here or in a thread. */
export interface FolderCalls {
  list(): Promise<SkillListing>;
  get(name: string, options: GetSkillOptions): Promise<Skill | null>;
  read(name: string, path: string, options: ReadResourceOptions): Promise<SkillResource | null>;
  contentOf(name: string, options: GetSkillOptions): Promise<string | undefined>;
  write(name: string, files: Files | null, expected: WriteSkillOptions['expected']): Promise<SkillWriteResult>;
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
