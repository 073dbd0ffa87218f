import { cp, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { skillDigest, type SkillWriteResult } from '@repertoire/skills-core/provider';
import type { DiskPace } from '../disk-pace.ts';
import type { FileSystemSettings } from '../file-system-skill-provider-options.ts';
import { isInside } from '../inside.ts';
import type { IndexedSkill } from '../merge-skills.ts';
import type { Scan } from '../scan-roots.ts';
import { realFolderOf } from '../skill-file-record.ts';
import type { ResolvedSkillRoot } from '../skill-roots.ts';
import { writeFolder } from '../visible-names.ts';
import { contentOfFolder } from './content-of-folder.ts';
import { fillFolder, syncFolder } from './fill-folder.ts';
import { recoverWrites, removeIfEmpty, removeTaken, stagedPrefix, takenName } from './recover-writes.ts';
import { refuseSkillFiles } from './refuse-skill-files.ts';

/** One write. */
export interface WriteSkillRequest {
  readonly name: string;
  readonly files: Readonly<Record<string, Uint8Array>> | null;
  readonly expected: string | null;
  /** The skill as it was just listed. */
  readonly found: IndexedSkill | undefined;
  readonly scan: Scan;
  readonly roots: readonly ResolvedSkillRoot[];
  readonly settings: FileSystemSettings;
  readonly pace: DiskPace;
  readonly signal: AbortSignal;
}

/** Where a skill is, or shall be. */
interface SkillPlace {
  readonly root: string;
  readonly folder: string;
  /** Its name while it is taken away; `null` for one that is not there yet. */
  readonly takenAs: ((id: string) => string) | null;
}

/**
 * Replaces a skill by two renames. Readers see the old folder, none, or the new one; after a crash,
 * the old one comes back.
 */
export async function writeSkill(request: WriteSkillRequest): Promise<SkillWriteResult> {
  const { name, files, expected, found, roots, settings, pace, signal } = request;
  const contentNow = (place: string): Promise<string | null> => contentOfFolder(place, settings, pace, signal);
  if (files !== null) await refuseSkillFiles(name, files, settings);
  const content = files === null ? null : await skillDigest(files);
  await recoverWrites(roots, 'dead');
  if (found === undefined && (expected !== null || files === null)) return { written: expected === null, content: null };
  const { root, folder, takenAs } = found === undefined ? await newPlace(request) : await placeOf(request, found);
  const now = found === undefined ? null : await contentNow(folder);
  if (now !== expected || (found !== undefined && expected === null)) return { written: false, content: now };

  const lost = async (): Promise<SkillWriteResult> => ({ written: false, content: await contentNow(folder).catch(() => null) });
  const work = path.join(root, writeFolder);
  const id = newId();
  const staged = path.join(work, `${stagedPrefix}${process.pid}-${id}`);
  const taken = takenAs && path.join(work, takenAs(id));
  try {
    await mkdir(work, { recursive: true });
    if (files !== null) {
      // Unlisted files, such as hidden ones, stay with the skill; so do modes.
      if (taken === null) await mkdir(staged);
      else await cp(folder, staged, { recursive: true, verbatimSymlinks: true });
      await fillFolder(staged, files, settings, pace, signal);
    }
    signal.throwIfAborted();
    if (taken !== null && !(await renamed(folder, taken))) return await lost();
    const isExpected = taken === null || (await contentNow(taken).catch(() => null)) === expected;
    if (!isExpected || (files !== null && !(await renamed(staged, folder)))) {
      if (taken !== null) await renamed(taken, folder);
      return await lost();
    }
    await syncFolder(path.dirname(folder));
    if (taken !== null) await removeTaken(taken).catch(() => undefined);
    return { written: true, content };
  } catch (cause) {
    if (taken !== null) await renamed(taken, folder).catch(() => undefined);
    if (signal.aborted || SkillError.isInstance(cause)) throw cause;
    throw new SkillError(
      'source-unavailable',
      `[skill-fs] Skill ${JSON.stringify(name)} could not be written: ${String(cause)}. Check permissions and the disk.`,
      { skill: name, source: settings.label, cause },
    );
  } finally {
    await rm(staged, { recursive: true, force: true });
    await removeIfEmpty(work);
  }
}

/** Names that differ by case or composition are one folder on some disks. */
async function newPlace({ name, scan, roots }: WriteSkillRequest): Promise<SkillPlace> {
  const root = roots[0]?.path ?? '.';
  const key = (text: string): string => text.normalize('NFC').toLowerCase();
  const entries = await readdir(root).catch(() => []);
  const other = [...entries, ...scan.merged.byName.keys()].find((entry) => key(entry) === key(name));
  if (other === undefined) return { root, folder: path.join(root, name), takenAs: null };
  throw new SkillError(
    'duplicate-skill',
    `There is ${JSON.stringify(other)} in ${root}, so no skill ${JSON.stringify(name)} can be written there. Take another name.`,
    { skill: name, path: root },
  );
}

async function placeOf({ roots, name }: WriteSkillRequest, found: IndexedSkill): Promise<SkillPlace> {
  const folder = realFolderOf(found.record);
  for (const { path: given } of roots) {
    const root = await realpath(given).catch(() => given);
    const relative = path.relative(root, folder).split(path.sep).join('/');
    const takenAs = (id: string): string => takenName(id, relative);
    if (relative !== '' && isInside(root, folder) && Buffer.byteLength(takenAs('0'.repeat(24))) <= 255) return { root, folder, takenAs };
  }
  throw new SkillError(
    'unsupported',
    `The skill ${JSON.stringify(name)} lies in ${folder}, which is no folder inside a root, so it cannot be written. Name the folder above it as the root.`,
    { skill: name, path: folder },
  );
}

/** `false` if the old name is not there, or the new one is taken: somebody else was faster. */
async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/**
 * 24 digits, as `recoverWrites` reads them. Not of `node:crypto`, which takes as long to load as a
 * listing of a hundred skills.
 */
function newId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 24);
}
