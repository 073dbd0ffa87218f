import fs, { type Stats } from 'node:fs';
import { SkillError } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import type { SkillListing } from '@repertoire/skills-core/provider';
import {
  discoverSkillFiles,
  findRealRoot,
  foldersOf,
  type DiscoveredRoot,
  type RealRoot,
  type ScanKind,
  type SkillFile,
} from './discover-skill-files.ts';
import type { DiskPace } from './disk-pace.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { mergeSkills, type MergedSkills, type ScannedRoot } from './merge-skills.ts';
import { readRecords } from './read-records.ts';
import type { SkillFileRecord } from './skill-file-record.ts';
import type { ResolvedSkillRoot } from './skill-roots.ts';
import { isSince, isUnchanged, looksSame, type StatSignature } from './stat-signature.ts';

/** All that is known of the roots at one moment. Immutable. */
export interface Scan {
  readonly roots: readonly ScannedRoot[];
  readonly merged: MergedSkills;
  /** What `listSkills` answers: deep-frozen, and the same object as long as it says the same. */
  readonly listing: SkillListing;
  /** Goes up whenever a scan finds something else than the one before. */
  readonly generation: number;
  /** When it began, by `Date.now()`. */
  readonly readAt: number;
}

/**
 * Finds and reads what changed since the last scan, if anything.
 *
 * @param isWatched whether folders of resources are watched as well
 * @throws {SkillError} `source-unavailable` if roots exist and none can be read
 * @throws what {@link DiskPace.restInScan} throws
 */
export async function scanRoots(
  roots: readonly ResolvedSkillRoot[],
  settings: FileSystemSettings,
  previous: Scan | null,
  isWatched: boolean,
  pace: DiskPace,
  signal: AbortSignal,
): Promise<Scan> {
  const readAt = Date.now();
  await pace.begin(...roots.map(({ path }) => path));
  signal.throwIfAborted();
  const sameFolders = previous !== null && (await areFoldersUnchanged(previous, isWatched, pace, signal));
  const discovered: readonly DiscoveredRoot[] = sameFolders
    ? previous.roots
    : await discoverAll(roots, settings, { isFirst: previous === null, isWatched }, pace, signal);
  const work = sameFolders ? previous.roots.flatMap(knownWork) : rediscoveredWork(discovered, previous);
  const changed = await changedFiles(work, pace, signal);
  if (sameFolders && changed.length === 0) return previous;

  await readRecords(changed, settings, pace, signal, (record, entry) => (entry.now = withKnownMetadata(record, entry.before)));
  const scanned = withRecords(discovered, previous, work);
  const generation = (previous?.generation ?? 0) + (previous !== null && isSameScan(previous, scanned) ? 0 : 1);
  if (pace.isSliceOver) await pace.restInScan(signal);
  const merged = await mergeSkills(settings.onCollision === 'last' ? scanned.toReversed() : scanned, pace);
  if (pace.isSliceOver) await pace.restInScan(signal);
  signal.throwIfAborted();
  return { roots: scanned, merged, listing: listingOf(scanned, merged, previous), generation, readAt };
}

async function discoverAll(
  roots: readonly ResolvedSkillRoot[],
  settings: FileSystemSettings,
  kind: ScanKind,
  pace: DiskPace,
  signal: AbortSignal,
): Promise<DiscoveredRoot[]> {
  const realRoots = roots.map(findRealRoot);
  const discovered: DiscoveredRoot[] = [];
  // One after the other, so that the order of diagnostics stays the same.
  for (const [index, root] of roots.entries()) {
    const others = realRoots.flatMap((other, position) => (position === index || !('path' in other) ? [] : [other.path]));
    discovered.push(await discoverSkillFiles(root, realRoots[index] as RealRoot, others, settings, kind, pace, signal));
  }
  const unreadable = discovered.filter(({ state }) => state === 'unreadable');
  if (unreadable.length > 0 && !discovered.some(({ state }) => state === 'read')) {
    const what = unreadable.flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message)).join(' ');
    throw new SkillError('source-unavailable', `[skill-fs] No root can be read. ${what} Name folders that this process may read.`, {
      source: settings.label,
      path: unreadable[0]?.root.path ?? '',
    });
  }
  return discovered;
}

/** Whether every folder has the same entries, and no missing root has appeared. */
async function areFoldersUnchanged(previous: Scan, isWatched: boolean, pace: DiskPace, signal: AbortSignal): Promise<boolean> {
  if (isWatched && previous.roots.some(({ state, resources }) => state === 'read' && resources === null)) return false;
  const unread = previous.roots.filter(({ state }) => state !== 'read').map(({ root }): [string, null] => [root.path, null]);
  if (previous.roots.some(({ directories }) => [...directories.values()].includes(null))) return false;
  const folders: (readonly [string, StatSignature | null])[] = [
    ...unread,
    ...previous.roots.flatMap((root) => [...(isWatched ? foldersOf(root) : root.directories)]),
  ];
  let isSame = true;
  await statEach(folders, pace, signal, (stats, signature) => {
    isSame &&= signature === null ? stats === null : isUnchanged(signature, stats);
  });
  return isSame;
}

interface FileWork {
  readonly file: SkillFile;
  readonly root: DiscoveredRoot;
  readonly before: SkillFileRecord | undefined;
  /** What was read now. */
  now?: SkillFileRecord;
}

function knownWork(root: ScannedRoot): FileWork[] {
  // A kept record may name its file by an object of an earlier scan.
  return root.files.map((file, index) => ({ file, root, before: root.records[index] }));
}

function rediscoveredWork(discovered: readonly DiscoveredRoot[], previous: Scan | null): FileWork[] {
  const work: FileWork[] = [];
  for (const [index, root] of discovered.entries()) {
    // Roots may overlap, and a record has the origin of its root.
    const before = previous && new Map(previous.roots[index]?.records.map((record) => [record.file.path, record]));
    for (const file of root.files) {
      const record = before?.get(file.path);
      const sameFile =
        record?.file.realFolder === file.realFolder && record.file.linked === file.linked && record.file.settings === file.settings;
      work.push({ file, root, before: sameFile ? record : undefined });
    }
  }
  return work;
}

async function changedFiles(work: readonly FileWork[], pace: DiskPace, signal: AbortSignal): Promise<readonly FileWork[]> {
  const known = work.filter(({ before }) => before !== undefined);
  if (known.length === 0) return work;
  const changed = new Set(work);
  const files = known.map((entry): [string, FileWork] => [entry.file.path, entry]);
  await statEach(files, pace, signal, (stats, entry) => {
    if (isUnchanged(entry.before?.signature ?? null, stats)) changed.delete(entry);
  });
  const settings = known.flatMap((entry): [string, FileWork][] => (entry.file.settings === null ? [] : [[entry.file.settings, entry]]));
  await statEach(settings, pace, signal, (stats, entry) => {
    if (!isUnchanged(entry.before?.settingsSignature ?? null, stats)) changed.add(entry);
  });
  return changed.size === work.length ? work : work.filter((entry) => changed.has(entry));
}

/** Gives each root the records of its files, by position. */
function withRecords(roots: readonly DiscoveredRoot[], previous: Scan | null, work: readonly FileWork[]): ScannedRoot[] {
  let end = 0;
  return roots.map((root, index) => {
    const start = end;
    end += root.files.length;
    const own = work.slice(start, end).map(({ now, before }) => now ?? (before as SkillFileRecord));
    return { ...root, records: own, lastRead: root.state === 'read' ? own : (previous?.roots[index]?.lastRead ?? null) };
  });
}

/** Keeps an equal object, so that what callers derived from it stays right. */
function withKnownMetadata(record: SkillFileRecord, before: SkillFileRecord | undefined): SkillFileRecord {
  if (before === undefined || JSON.stringify(before.metadata) !== JSON.stringify(record.metadata)) return record;
  return { ...record, metadata: before.metadata };
}

function listingOf(roots: readonly ScannedRoot[], { skills, diagnostics }: MergedSkills, previous: Scan | null): SkillListing {
  const listing: SkillListing = {
    skills: skills.map(({ metadata }) => metadata),
    diagnostics,
    complete: roots.every(({ complete }) => complete),
  };
  return previous !== null && isSameListing(previous.listing, listing) ? previous.listing : deepFreeze(listing);
}

function isSameListing(before: SkillListing, after: SkillListing): boolean {
  return (
    before.complete === after.complete &&
    before.skills.length === after.skills.length &&
    before.skills.every((skill, index) => skill === after.skills[index]) &&
    JSON.stringify(before.diagnostics) === JSON.stringify(after.diagnostics)
  );
}

function isSameScan({ roots, readAt }: Scan, after: readonly ScannedRoot[]): boolean {
  return roots.every((root, index) => {
    const other = after[index];
    if (other === undefined || other.state !== root.state || other.records.length !== root.records.length) return false;
    return (
      hasSameFolders(root.directories, other.directories, readAt) &&
      hasSameResources(root.resources, other.resources, readAt) &&
      root.records.every((record, position) => isSameRecord(record, other.records[position]))
    );
  });
}

/** A folder of which nothing was noted then is the same if it is older than that. */
function hasSameFolders(before: DiscoveredRoot['directories'], after: DiscoveredRoot['directories'], readAt: number): boolean {
  if (before.size !== after.size) return false;
  for (const [path, now] of after) {
    const then = before.get(path);
    if (then === undefined || (now !== null && (then === null ? isSince(now, readAt) : !looksSame(then, now)))) return false;
  }
  return true;
}

/** Folders of resources that are not known now are of interest to nobody. */
function hasSameResources(before: DiscoveredRoot['resources'], after: DiscoveredRoot['resources'], readAt: number): boolean {
  if (after === null) return true;
  return before === null
    ? [...after.values()].every((now) => now !== null && !isSince(now, readAt))
    : hasSameFolders(before, after, readAt);
}

function isSameRecord(before: SkillFileRecord, after: SkillFileRecord | undefined): boolean {
  if (after === undefined || before.file.path !== after.file.path) return false;
  if (before.signature === null || after.signature === null) return before.signature === after.signature;
  return looksSame(before.signature, after.signature) && before.metadata === after.metadata;
}

/** Looks at each path; `null` where nothing can be seen. */
async function statEach<Item>(
  items: readonly (readonly [path: string, of: Item])[],
  pace: DiskPace,
  signal: AbortSignal,
  take: (stats: Stats | null, of: Item) => void,
): Promise<void> {
  pace.call();
  for (const [path, of] of items) {
    let stats: Stats | null = null;
    try {
      stats = fs.statSync(path, { throwIfNoEntry: false }) ?? null;
    } catch {
      // As if it were gone.
    }
    take(stats, of);
    if (pace.called()) await pace.restInScan(signal);
  }
}
