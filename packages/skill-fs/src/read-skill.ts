import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import type { ReadResourceOptions, SkillResource } from '@repertoire/skills-core/provider';
import { disk, type DiskReader, type DiskSteps, type OpenedFile } from './disk-steps.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isInside } from './is-inside.ts';
import type { IndexedSkill } from './merge-skills.ts';
import { isAbsence, readStart, withRegularFile } from './open-regular-file.ts';
import type { Hashing } from './load-hashing.ts';
import { readBytes } from './read-resource-file.ts';
import { withOpenAiSettings } from './openai-settings.ts';
import { bodyBehind, parseWhole } from './parse-skill.ts';
import { parserOptions, type SkillFileRecord } from './skill-file-record.ts';
import { looksAsBefore } from './stat-signature.ts';

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
export async function readSkill(
  { record, root, metadata: listed }: IndexedSkill,
  settings: FileSystemSettings,
  reader: DiskReader,
): Promise<SkillRead | null> {
  const { file, signature } = record;
  if (file.isCard) {
    const { readCard } = await import('./card-record.ts');
    const read = await readCard({ file, root }, settings, reader).catch((error: unknown) => {
      if (SkillError.isInstance(error) || isAbsence(error)) return null;
      throw error;
    });
    const { origin: _origin, ...known } = listed;
    return read && { ...read, asListed: JSON.stringify(read.metadata) === JSON.stringify(known) };
  }
  const read = await reader.run(
    withSkillFile(record, root.realPath, settings, function* ({ descriptor, stats }) {
      return stats.size > settings.limits.skillBytes ? null : { stats, bytes: yield* readStart(descriptor, stats.size) };
    }),
  );
  if (read === null) return null;
  const isAsListed = signature !== null && looksAsBefore(signature, read.stats);
  const known = record.head === undefined ? null : bodyBehind(record.head, read.bytes);
  if (known !== null) return { metadata: listed, body: known, bytes: read.bytes, diagnostics: record.diagnostics, asListed: isAsListed };
  const { metadata, body, diagnostics } = await parseWhole(read.bytes, parserOptions(file, settings));
  if (metadata === null) return null;
  if (file.settings === null) return { metadata, body, bytes: read.bytes, diagnostics, asListed: isAsListed };
  const set = await withOpenAiSettings(metadata, { file, root }, settings, reader);
  return {
    metadata: set.metadata,
    body,
    bytes: read.bytes,
    diagnostics: [...diagnostics, ...set.diagnostics],
    asListed: isAsListed && set.metadata.disableModelInvocation === listed.disableModelInvocation,
  };
}

/**
 * Reads the bytes of a `SKILL.md`, exactly as they are on disk. In a `skill.md` of other case it
 * reads that file.
 *
 * @returns `null` if it is gone by now
 * @throws {SkillError} `limit-exceeded` for a file beyond `limits.skillBytes` that is asked for as
 *   a whole
 */
export function* readSkillFile(
  { record, root }: IndexedSkill,
  { maxBytes, digest }: Pick<ReadResourceOptions, 'maxBytes' | 'digest'>,
  settings: FileSystemSettings,
  hashing: Hashing,
): DiskSteps<SkillResource | null> {
  return yield* withSkillFile(record, root.realPath, settings, function* ({ descriptor, stats }) {
    const { size } = stats;
    if (digest !== undefined && size > settings.limits.skillBytes) return null;
    if (maxBytes === undefined && size > settings.limits.skillBytes) {
      throw new SkillError(
        'limit-exceeded',
        `[skill-fs] ${JSON.stringify(record.file.path)} has ${size} bytes, and ${settings.limits.skillBytes} is the limit. Ask for its start with maxBytes, or raise limits.skillBytes.`,
        { path: 'SKILL.md', source: settings.label },
      );
    }
    const length = digest === undefined ? Math.min(size, maxBytes ?? size) : size;
    return { path: 'SKILL.md', mediaType: 'text/markdown', ...(yield* readBytes(descriptor, size, length, hashing)) };
  });
}

/** The real path of a `SKILL.md`; `null` where there is none, or it leads out of its root. */
export function* realSkillFile(record: SkillFileRecord, realRoot: string, { links }: FileSystemSettings): DiskSteps<string | null> {
  const file = skillFileOf(record);
  const target = file === null ? null : yield* realTarget(file);
  // A folder or file that became a link since must not lead further than one that always was.
  return target === null || (links !== 'all' && !isInside(realRoot, target)) ? null : target;
}

function skillFileOf({ file, home }: SkillFileRecord): string | null {
  return home === undefined ? file.path : home.skillMd;
}

function* withSkillFile<Value>(
  record: SkillFileRecord,
  realRoot: string,
  settings: FileSystemSettings,
  work: (opened: OpenedFile) => DiskSteps<Value>,
): DiskSteps<Value | null> {
  const { file, home } = record;
  // Most have no link on the way to them, and opening one proves it.
  const isPlain = home === undefined && !file.linked && file.folder === file.realFolder && isInside(realRoot, file.path);
  const read = isPlain ? yield* withRegularFile(file.path, settings.hardLinks, work) : null;
  if (read !== null) return read;
  const target = yield* realSkillFile(record, realRoot, settings);
  return target === null ? null : yield* withRegularFile(target, settings.hardLinks, work);
}

function* realTarget(path: string): DiskSteps<string | null> {
  try {
    return yield* disk.realpath(path);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}
