import type { Stats } from 'node:fs';
import fs from 'node:fs';
import { SkillError, type SkillListing } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/provider';
import { discoverSkillFiles, findRealRoot, type DiscoveredRoot, type RealRoot, type SkillFile } from './discover-skill-files.ts';
import { DiskPace, lookAtEach, type Look } from './disk-pace.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { mergeSkills, type MergedSkills, type ScannedRoot } from './merge-skills.ts';
import { recordLook } from './record-look.ts';
import type { SkillFileRecord } from './skill-file-record.ts';
import type { ResolvedSkillRoot } from './skill-roots.ts';
import { isUnchanged, looksSame, type StatSignature } from './stat-signature.ts';

/** All that is known of the roots at one moment. Immutable. */
export interface Scan {
  readonly roots: readonly ScannedRoot[];
  readonly merged: MergedSkills;
  /** What `listSkills` answers: deep-frozen, and the same object as long as it says the same. */
  readonly listing: SkillListing;
  /** Goes up whenever a scan finds something else than the one before. */
  readonly generation: number;
}

/** More than for reading: a `stat` is short, and the threads are few anyway. */
const statConcurrency = 64;

/**
 * Finds and reads every skill, or what changed since the last scan: as long as every folder and every `SKILL.md` looks as it did, nothing is read.
 *
 * @throws {SkillError} `source-unavailable` where roots exist and none of them can be read
 */
export async function scanRoots(
  roots: readonly ResolvedSkillRoot[],
  settings: FileSystemSettings,
  previous: Scan | null,
  signal: AbortSignal,
): Promise<Scan> {
  const sameFolders = previous !== null && (await areFoldersUnchanged(previous, signal));
  const discovered: readonly DiscoveredRoot[] = sameFolders ? previous.roots : await discoverAll(roots, settings, signal);
  const work = sameFolders ? previous.roots.flatMap(knownWork) : rediscoveredWork(discovered, previous);
  const changed = await changedFiles(work, signal);
  if (sameFolders && changed.length === 0) return previous;

  const read = await readRecords(changed, settings, signal);
  const pace = new DiskPace();
  await pace.rest();
  const scanned = withRecords(
    discovered,
    work.map((entry) => read.get(entry) ?? (entry.before as SkillFileRecord)),
  );
  const generation = (previous?.generation ?? 0) + (previous !== null && isSameScan(previous.roots, scanned) ? 0 : 1);
  await pace.rest();
  const merged = mergeSkills(scanned);
  await pace.rest();
  signal.throwIfAborted();
  return { roots: scanned, merged, listing: listingOf(scanned, merged, previous), generation };
}

async function discoverAll(
  roots: readonly ResolvedSkillRoot[],
  settings: FileSystemSettings,
  signal: AbortSignal,
): Promise<DiscoveredRoot[]> {
  const realRoots = await Promise.all(roots.map(findRealRoot));
  const discovered: DiscoveredRoot[] = [];
  // One after the other: each is read as fast as the disk can, and the order of what is said about them stays the same.
  for (const [index, root] of roots.entries()) {
    const others = realRoots.flatMap((other, position) => (position === index || !('path' in other) ? [] : [other.path]));
    discovered.push(await discoverSkillFiles(root, realRoots[index] as RealRoot, others, settings, signal));
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

/** Whether every folder that was looked into is still the same, entry for entry, and no missing root has appeared. */
async function areFoldersUnchanged(previous: Scan, signal: AbortSignal): Promise<boolean> {
  const unread = previous.roots.filter(({ state }) => state !== 'read').map(({ root }): [string, null] => [root.path, null]);
  const folders: [string, StatSignature | null][] = [...unread, ...previous.roots.flatMap(({ directories }) => [...directories])];
  const stats = await lookAtEach(
    folders.map(([path]) => path),
    statLook,
    new DiskPace(),
    statConcurrency,
    signal,
  );
  return folders.every(([, signature], index) =>
    signature === null ? stats[index] === null : isUnchanged(signature, stats[index] ?? null),
  );
}

interface FileWork {
  readonly file: SkillFile;
  readonly root: DiscoveredRoot;
  readonly before: SkillFileRecord | undefined;
}

function knownWork(root: ScannedRoot): FileWork[] {
  // A record that was kept may name its file by an object of an earlier scan; the root has those of now.
  return root.files.map((file, index) => ({ file, root, before: root.records[index] }));
}

function rediscoveredWork(discovered: readonly DiscoveredRoot[], previous: Scan | null): FileWork[] {
  return discovered.flatMap((root, index) => {
    // Of each root by itself: roots may lie in one another, and a record has the origin of its root.
    const before = new Map(previous?.roots[index]?.records.map((record) => [record.file.path, record]));
    return root.files.map((file) => {
      const record = before.get(file.path);
      const sameFile = record?.file.realFolder === file.realFolder && record.file.linked === file.linked;
      return { file, root, before: sameFile ? record : undefined };
    });
  });
}

async function changedFiles(work: readonly FileWork[], signal: AbortSignal): Promise<readonly FileWork[]> {
  const known = work.filter(({ before }) => before !== undefined);
  const stats = await lookAtEach(
    known.map(({ file }) => file.path),
    statLook,
    new DiskPace(),
    statConcurrency,
    signal,
  );
  const unchanged = new Set(known.filter(({ before }, index) => isUnchanged(before?.signature ?? null, stats[index] ?? null)));
  return work.filter((entry) => !unchanged.has(entry));
}

async function readRecords(
  work: readonly FileWork[],
  settings: FileSystemSettings,
  signal: AbortSignal,
): Promise<ReadonlyMap<FileWork, SkillFileRecord>> {
  const pace = new DiskPace();
  const records = await lookAtEach(work, recordLook(settings, pace), pace, settings.concurrency, signal);
  return new Map(work.map((entry, index) => [entry, withKnownMetadata(records[index] as SkillFileRecord, entry.before)]));
}

/**
 * Gives each root the records of its files. They go by position: a record that was kept from an earlier scan names the file as that scan found it, which is
 * another object for the same file.
 */
function withRecords(roots: readonly DiscoveredRoot[], records: readonly SkillFileRecord[]): ScannedRoot[] {
  let end = 0;
  return roots.map((root) => {
    const start = end;
    end += root.files.length;
    return { ...root, records: records.slice(start, end) };
  });
}

/** Keeps the object that callers have already if it says the same: what they derived from it stays right. */
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

/** Whether two scans saw the same, as far as can be told without reading bodies and resources. */
function isSameScan(before: readonly ScannedRoot[], after: readonly ScannedRoot[]): boolean {
  return before.every((root, index) => {
    const other = after[index];
    if (
      other === undefined ||
      other.state !== root.state ||
      other.directories.size !== root.directories.size ||
      other.records.length !== root.records.length
    )
      return false;
    for (const [path, signature] of root.directories) {
      const now = other.directories.get(path);
      if (now === undefined || !looksSame(signature, now)) return false;
    }
    return root.records.every((record, position) => isSameRecord(record, other.records[position]));
  });
}

function isSameRecord(before: SkillFileRecord, after: SkillFileRecord | undefined): boolean {
  if (after === undefined || before.file.path !== after.file.path) return false;
  if (before.signature === null || after.signature === null) return before.signature === after.signature;
  return looksSame(before.signature, after.signature) && before.metadata === after.metadata;
}

const statLook: Look<string, Stats | null> = {
  now: (path) => {
    try {
      return fs.statSync(path, { throwIfNoEntry: false }) ?? null;
    } catch {
      return null;
    }
  },
  later: (path) =>
    new Promise((resolve) => {
      fs.stat(path, (error, stats) => resolve(error === null ? stats : null));
    }),
};
