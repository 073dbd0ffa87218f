import { SkillError } from '@repertoire/skills-core';
import { isResourcePath, mediaTypeOf, type ReadResourceOptions, type SkillResource } from '@repertoire/skills-core/provider';
import { disk, type DiskSteps, type OpenedFile } from './disk-steps.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { hashSteps } from './hash-steps.ts';
import { isSkillResource } from './is-skill-resource.ts';
import type { Hashing } from './load-hashing.ts';
import { isAbsence, readStart, withRegularFile } from './open-regular-file.ts';
import { resolveInside } from './resolve-inside.ts';
import { isVisibleName } from './visible-names.ts';

/**
 * Reads one file of a skill, in this order: the path's form, what it leads to with all links
 * followed, whether that may be read, whether it is a regular file, and whether the file that was
 * opened is the one that was checked.
 *
 * @param options with a `digest`, the whole file is read whatever `maxBytes` says, and the caller
 *   compares and cuts it
 * @throws {SkillError} `limit-exceeded` for a file beyond `limits.resourceBytes` that is asked for
 *   as a whole
 */
export function* readResourceFile(
  realFolder: string,
  path: string,
  { maxBytes, digest }: Pick<ReadResourceOptions, 'maxBytes' | 'digest'>,
  settings: FileSystemSettings,
  hashing: Hashing,
): DiskSteps<SkillResource | null> {
  const { hiddenFiles, limits, label } = settings;
  if (!path.split('/').every((segment) => isVisibleName(segment, hiddenFiles))) return null;
  return yield* withFileInside(realFolder, path, settings, function* ({ descriptor, stats }) {
    const { size } = stats;
    // Its digest is not known then, so it cannot be the file that is meant.
    if (digest !== undefined && size > limits.resourceBytes) return null;
    if (maxBytes === undefined && size > limits.resourceBytes) {
      throw new SkillError(
        'limit-exceeded',
        `[skill-fs] ${JSON.stringify(path)} has ${size} bytes, and ${limits.resourceBytes} is the limit. Ask for its start with maxBytes, or raise limits.resourceBytes.`,
        { path, source: label },
      );
    }
    return {
      path,
      mediaType: mediaTypeOf(path),
      ...(yield* readBytes(descriptor, size, digest === undefined ? Math.min(size, maxBytes ?? size) : size, hashing)),
    };
  });
}

function* withFileInside<Value>(
  realFolder: string,
  path: string,
  { hiddenFiles, hardLinks }: FileSystemSettings,
  work: (opened: OpenedFile) => DiskSteps<Value>,
): DiskSteps<Value | null> {
  // Most have no link on the way to them, and opening one proves it.
  const plain = isSpelledOnce(path) && isResourcePath(path) && isSkillResource(path, hiddenFiles) ? `${realFolder}/${path}` : null;
  if (plain !== null) {
    if (yield* isNothing(plain)) return null;
    const read = yield* withRegularFile(plain, hardLinks, work);
    if (read !== null) return read;
  }
  const target = yield* resolveInside(realFolder, path);
  // One without a link was refused already: it may have been swapped meanwhile.
  if (target === null || target.real === plain || !isSkillResource(target.relative, hiddenFiles)) return null;
  return yield* withRegularFile(target.real, hardLinks, work);
}

/** An error would cost several times as much. */
function* isNothing(plain: string): DiskSteps<boolean> {
  try {
    return (yield* disk.look(plain)) === undefined;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

/** Whether no disk keeps the path in another Unicode form, and no system takes it for another. */
function isSpelledOnce(path: string): boolean {
  return process.platform !== 'win32' && /^[\w./-]+$/.test(path);
}

/** Reads the start of an opened file, with the digest if that is the whole. */
export function* readBytes(
  descriptor: number,
  size: number,
  length: number,
  hashing: Hashing,
): DiskSteps<Pick<SkillResource, 'bytes' | 'size' | 'digest'>> {
  if (length < size) {
    const bytes = yield* readStart(descriptor, length);
    return { bytes, size: bytes.length < length ? bytes.length : size };
  }
  const bytes = new Uint8Array(size);
  const read = yield* hashSteps(hashing, descriptor, size, bytes);
  // The file shrank while it was read: its size is what was read.
  return { bytes: read.length < size ? bytes.slice(0, read.length) : bytes, size: read.length, digest: read.digest };
}
