import fs from 'node:fs';
import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { isResourcePath, mediaTypeOf, type ReadResourceOptions, type SkillResource } from '@repertoire/skills-core/provider';
import type { DiskPace } from './disk-pace.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isInside, openInRoot, realPathOf, resolveInside } from './inside.ts';
import type { IndexedSkill } from './merge-skills.ts';
import { hashFile, isAbsence, openRegularFile, readStart, type OpenedFile } from './open-regular-file.ts';
import { withOpenAiSettings } from './openai-settings.ts';
import { bodyBehind, parseWhole } from './parse-skill.ts';
import { parserOptions, realFolderOf } from './skill-file-record.ts';
import { looksAsBefore } from './stat-signature.ts';
import { isSkillResource, isVisibleName } from './visible-names.ts';

/** What a `SKILL.md` says now. */
export interface SkillRead {
  /** Level 1. */
  readonly metadata: SkillMetadata;
  readonly body: string;
  /** The bytes of `SKILL.md`; the canonical text of a skill that has a card and no `SKILL.md`. */
  readonly bytes: Uint8Array;
  /** What the parser repaired. */
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Whether the file looks as it did when it was listed. */
  readonly asListed: boolean;
}

/**
 * Reads a whole `SKILL.md` afresh.
 *
 * @returns `null` if it is gone, unusable or too large by now
 */
export async function readSkill(skill: IndexedSkill, settings: FileSystemSettings, pace: DiskPace): Promise<SkillRead | null> {
  const { record, root, metadata: listed } = skill;
  const { file, signature } = record;
  if (file.isCard) {
    const { readCard } = await import('./card-record.ts');
    const read = await readCard({ file, root }, settings, pace).catch((error: unknown) => {
      if (SkillError.isInstance(error) || isAbsence(error)) return null;
      throw error;
    });
    const { origin: _origin, ...known } = listed;
    return read && { ...read, asListed: JSON.stringify(read.metadata) === JSON.stringify(known) };
  }
  const opened = openSkillFile(skill, settings);
  if (opened === null) return null;
  const { stats } = opened;
  let bytes: Uint8Array;
  try {
    if (stats.size > settings.limits.skillBytes) return null;
    bytes = await readStart(opened, stats.size, pace);
  } finally {
    fs.closeSync(opened.descriptor);
  }
  const isAsListed = signature !== null && looksAsBefore(signature, stats);
  const known = record.head === undefined ? null : bodyBehind(record.head, bytes);
  if (known !== null) return { metadata: listed, body: known, bytes, diagnostics: record.diagnostics, asListed: isAsListed };
  const { metadata, body, diagnostics } = await parseWhole(bytes, parserOptions(file, settings));
  if (metadata === null) return null;
  const set = await withOpenAiSettings(metadata, { file, root }, settings);
  return {
    metadata: set.metadata,
    body,
    bytes,
    diagnostics: [...diagnostics, ...set.diagnostics],
    asListed: isAsListed && set.metadata.disableModelInvocation === listed.disableModelInvocation,
  };
}

/** The real path of a `SKILL.md`; `null` where there is none, or it leads out of its root. */
export function realSkillFile({ record: { file, home }, root }: IndexedSkill, { links }: FileSystemSettings): string | null {
  const path = home === undefined ? file.path : home.skillMd;
  const target = path === null ? null : realPathOf(path);
  return target === null || (links !== 'all' && !isInside(root.realPath, target)) ? null : target;
}

/**
 * Opens the `SKILL.md` of a skill, or the `skill.md` in other case that it has; `null` where there
 * is none, or it leads out of its root.
 */
function openSkillFile({ record: { file, home }, root }: IndexedSkill, settings: FileSystemSettings): OpenedFile | null {
  const path = home === undefined ? file.path : home.skillMd;
  const isPlain = home === undefined && !file.linked && file.folder === file.realFolder;
  return path === null ? null : openInRoot(path, isPlain ? path : null, root.realPath, settings);
}

/**
 * Reads one file of a skill, in this order: the path's form, what it leads to with all links
 * followed, whether that may be read, whether it is a regular file, and whether the file that was
 * opened is the one that was checked. `SKILL.md` is exactly as it is on disk.
 *
 * @param options with a `digest`, the whole file is read whatever `maxBytes` says, and the caller
 *   compares and cuts it
 * @returns `null` if there is no such file, or none any more
 * @throws {SkillError} `limit-exceeded` for a file beyond its limit that is asked for as a whole
 */
export async function readFileOf(
  skill: IndexedSkill,
  path: string,
  { maxBytes, digest }: Pick<ReadResourceOptions, 'maxBytes' | 'digest'>,
  settings: FileSystemSettings,
  pace: DiskPace,
): Promise<SkillResource | null> {
  const isMain = path === 'SKILL.md';
  const opened = isMain ? openSkillFile(skill, settings) : openResource(realFolderOf(skill.record), path, settings);
  if (opened === null) return null;
  try {
    const { size } = opened.stats;
    const limit = isMain ? 'skillBytes' : 'resourceBytes';
    const most = settings.limits[limit];
    // Its digest is not known then, so it cannot be the file that is meant.
    if (digest !== undefined && size > most) return null;
    if (maxBytes === undefined && size > most)
      throw new SkillError(
        'limit-exceeded',
        `[skill-fs] ${JSON.stringify(isMain ? skill.record.file.path : path)} has ${size} bytes, and ${most} is the limit. Ask for its start with maxBytes, or raise limits.${limit}.`,
        { path, source: settings.label },
      );
    const length = digest === undefined ? Math.min(size, maxBytes ?? size) : size;
    const about = { path, mediaType: isMain ? 'text/markdown' : mediaTypeOf(path) };
    if (length < size) {
      const bytes = await readStart(opened, length, pace);
      return { ...about, bytes, size: bytes.length < length ? bytes.length : size };
    }
    const bytes = new Uint8Array(size);
    const read = await hashFile(opened, size, pace, bytes);
    // The file shrank while it was read: its size is what was read.
    return { ...about, bytes: read.length < size ? bytes.slice(0, read.length) : bytes, size: read.length, digest: read.digest };
  } finally {
    fs.closeSync(opened.descriptor);
  }
}

function openResource(realFolder: string, path: string, { hiddenFiles, hardLinks }: FileSystemSettings): OpenedFile | null {
  if (!path.split('/').every((segment) => isVisibleName(segment, hiddenFiles))) return null;
  // Most have no link on the way to them, and opening one proves it.
  const plain = isSpelledOnce(path) && isResourcePath(path) && isSkillResource(path, hiddenFiles) ? `${realFolder}/${path}` : null;
  if (plain !== null) {
    if (isNothing(plain)) return null;
    const opened = openRegularFile(plain, hardLinks);
    if (opened !== null) return opened;
  }
  const target = resolveInside(realFolder, path);
  // One without a link was refused already: it may have been swapped meanwhile.
  return target === null || target.real === plain || !isSkillResource(target.relative, hiddenFiles)
    ? null
    : openRegularFile(target.real, hardLinks);
}

/** An error would cost several times as much. */
function isNothing(plain: string): boolean {
  try {
    return fs.lstatSync(plain, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

/** Whether no disk keeps the path in another Unicode form, and no system takes it for another. */
function isSpelledOnce(path: string): boolean {
  return process.platform !== 'win32' && /^[\w./-]+$/.test(path);
}
