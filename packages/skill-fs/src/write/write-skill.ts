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

/**
 * Replaces a skill by two renames. Readers see the old folder, none, or the new one; after a crash,
 * the old one comes back.
 */
export async function writeSkill(request: WriteSkillRequest): Promise<SkillWriteResult> {
  const { name, files, expected, found, roots, settings, signal } = request;
  if (files !== null) await refuseSkillFiles(name, files, settings);
  const content = files === null ? null : await skillDigest(files);
  await recoverWrites(roots, 'dead');
  if (found === undefined) {
    if (expected !== null || files === null) return { written: expected === null, content: null };
    return await create(request, files, content);
  }
  const { root, folder, relative } = await placeOf(request, found);
  const now = await contentOfFolder(folder, settings, request.pace, signal);
  if (expected === null || now !== expected) return { written: false, content: now };

  const work = path.join(root, writeFolder);
  const id = newId();
  const staged = path.join(work, `${stagedPrefix}${process.pid}-${id}`);
  const taken = path.join(work, takenName(id, relative));
  try {
    await mkdir(work, { recursive: true });
    if (files !== null) {
      // Unlisted files, such as hidden ones, stay with the skill; so do modes.
      await cp(folder, staged, { recursive: true, verbatimSymlinks: true });
      await fillFolder(staged, files, settings, request.pace, signal);
    }
    signal.throwIfAborted();
    if (!(await renamed(folder, taken))) return { written: false, content: await contentOr(null, folder, request) };
    const isExpected = (await contentOfFolder(taken, settings, request.pace, signal).catch(() => null)) === expected;
    const isPlaced = isExpected && (files === null || (await renamed(staged, folder)));
    if (!isPlaced) {
      await renamed(taken, folder);
      return { written: false, content: await contentOr(null, folder, request) };
    }
    await syncFolder(path.dirname(folder));
    await removeTaken(taken).catch(() => undefined);
    return { written: true, content };
  } catch (cause) {
    await renamed(taken, folder).catch(() => undefined);
    throw failed(request, cause);
  } finally {
    await rm(staged, { recursive: true, force: true });
    await removeIfEmpty(work);
  }
}

async function create(
  request: WriteSkillRequest,
  files: Readonly<Record<string, Uint8Array>>,
  content: string | null,
): Promise<SkillWriteResult> {
  const { name, roots, settings, signal } = request;
  const root = roots[0]?.path ?? '.';
  const work = path.join(root, writeFolder);
  const staged = path.join(work, `${stagedPrefix}${process.pid}-${newId()}`);
  try {
    await refuseTakenName(request, root);
    await mkdir(staged, { recursive: true });
    await fillFolder(staged, files, settings, request.pace, signal);
    signal.throwIfAborted();
    const folder = path.join(root, name);
    const isPlaced = await renamed(staged, folder);
    await syncFolder(root);
    return { written: isPlaced, content: isPlaced ? content : await contentOr(null, folder, request) };
  } catch (cause) {
    throw failed(request, cause);
  } finally {
    await rm(staged, { recursive: true, force: true });
    await removeIfEmpty(work);
  }
}

/** Names that differ by case or composition are one folder on some disks. */
async function refuseTakenName({ name, scan }: WriteSkillRequest, root: string): Promise<void> {
  const key = (text: string): string => text.normalize('NFC').toLowerCase();
  const entries = await readdir(root).catch(() => []);
  const other = [...entries, ...scan.merged.byName.keys()].find((entry) => key(entry) === key(name));
  if (other === undefined) return;
  throw new SkillError(
    'duplicate-skill',
    `There is ${JSON.stringify(other)} in ${root}, so no skill ${JSON.stringify(name)} can be written there. Take another name.`,
    {
      skill: name,
      path: root,
    },
  );
}

async function placeOf(
  { roots, name }: WriteSkillRequest,
  found: IndexedSkill,
): Promise<{ root: string; folder: string; relative: string }> {
  const folder = realFolderOf(found.record);
  for (const { path: root } of roots) {
    const real = await realpath(root).catch(() => root);
    const relative = path.relative(real, folder).split(path.sep).join('/');
    if (relative !== '' && isInside(real, folder) && Buffer.byteLength(takenName('0'.repeat(24), relative)) <= 255)
      return { root: real, folder, relative };
  }
  throw new SkillError(
    'unsupported',
    `The skill ${JSON.stringify(name)} lies in ${folder}, which is no folder inside a root, so it cannot be written. Name the folder above it as the root.`,
    {
      skill: name,
      path: folder,
    },
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

async function contentOr(fallback: null, folder: string, { settings, pace, signal }: WriteSkillRequest): Promise<string | null> {
  return await contentOfFolder(folder, settings, pace, signal).catch(() => fallback);
}

function failed({ name, settings, signal }: WriteSkillRequest, cause: unknown): unknown {
  if (signal.aborted || SkillError.isInstance(cause)) return cause;
  return new SkillError(
    'source-unavailable',
    `[skill-fs] Skill ${JSON.stringify(name)} could not be written: ${String(cause)}. Check permissions and the disk.`,
    {
      skill: name,
      source: settings.label,
      cause,
    },
  );
}

/**
 * 24 digits, as `recoverWrites` reads them. Not of `node:crypto`, which takes as long to load as a
 * listing of a hundred skills.
 */
function newId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 24);
}
