import { realpath } from 'node:fs/promises';
import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillResource } from '@repertoire/skills-core';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isInside } from './is-inside.ts';
import type { IndexedSkill } from './merge-skills.ts';
import { isAbsence, openRegularFile, readStart, type OpenedFile } from './open-regular-file.ts';
import { readCard } from './card-record.ts';
import { parseWhole } from './parse-skill.ts';
import { parserOptions } from './skill-file-record.ts';

/** What a `SKILL.md` says now. */
export interface SkillRead {
  /** Level 1, without the origin. */
  readonly metadata: SkillMetadata;
  readonly body: string;
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
export async function readSkill({ record, root, metadata: listed }: IndexedSkill, settings: FileSystemSettings): Promise<SkillRead | null> {
  const { file, signature } = record;
  if (file.isCard) {
    const read = await readCard({ file, root }, settings).catch((error: unknown) => {
      if (SkillError.isInstance(error) || isAbsence(error)) return null;
      throw error;
    });
    const { origin: _origin, ...known } = listed;
    return read && { ...read, asListed: JSON.stringify(read.metadata) === JSON.stringify(known) };
  }
  const opened = await openSkillFile(file.path, root.realPath, settings);
  if (opened === null) return null;
  try {
    const { size, ino, mtimeMs } = opened.stats;
    if (size > BigInt(settings.limits.skillBytes)) return null;
    const bytes = await readStart(opened.handle, Number(size));
    const { metadata, body, diagnostics } = await parseWhole(bytes, parserOptions(file, settings));
    if (metadata === null) return null;
    const asListed =
      signature !== null &&
      signature.size === Number(size) &&
      signature.inode === Number(ino) &&
      Math.floor(signature.modified) === Number(mtimeMs);
    return { metadata, body, diagnostics, asListed };
  } finally {
    await opened.handle.close();
  }
}

/**
 * Reads the bytes of a `SKILL.md`, exactly as they are on disk. In a `skill.md` of other case it reads that file.
 *
 * @returns `null` if it is gone by now
 * @throws {SkillError} `limit-exceeded` for a file beyond `limits.skillBytes` that is asked for as a whole
 */
export async function readSkillFile(
  { record, root }: IndexedSkill,
  maxBytes: number | undefined,
  settings: FileSystemSettings,
): Promise<SkillResource | null> {
  const file = record.home === undefined ? record.file.path : record.home.skillMd;
  const opened = file === null ? null : await openSkillFile(file, root.realPath, settings);
  if (opened === null) return null;
  try {
    const size = Number(opened.stats.size);
    if (maxBytes === undefined && size > settings.limits.skillBytes) {
      throw new SkillError(
        'limit-exceeded',
        `[skill-fs] ${JSON.stringify(record.file.path)} has ${size} bytes, and ${settings.limits.skillBytes} is the limit. Ask for its start with maxBytes, or raise limits.skillBytes.`,
        { path: 'SKILL.md', source: settings.label },
      );
    }
    const length = Math.min(size, maxBytes ?? size);
    const bytes = await readStart(opened.handle, length);
    return { path: 'SKILL.md', bytes, size: bytes.length < length ? bytes.length : size, mediaType: 'text/markdown' };
  } finally {
    await opened.handle.close();
  }
}

async function openSkillFile(file: string, realRoot: string, settings: FileSystemSettings): Promise<OpenedFile | null> {
  const target = await realTarget(file);
  if (target === null) return null;
  // A folder or file that became a link since must not lead further than one that always was.
  if (settings.links !== 'all' && !isInside(realRoot, target)) return null;
  return await openRegularFile(target, settings.hardLinks);
}

async function realTarget(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}
