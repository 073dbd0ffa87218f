import { SkillError } from '@repertoire/skills-core';
import { mediaTypeOf, type ReadResourceOptions, type SkillResource } from '@repertoire/skills-core/provider';
import type { DiskSteps } from './disk-steps.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { hashSteps } from './hash-steps.ts';
import { isSkillResource } from './is-skill-resource.ts';
import type { Hashing } from './load-hashing.ts';
import { readStart, withRegularFile } from './open-regular-file.ts';
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
  const target = yield* resolveInside(realFolder, path);
  if (target === null || !isSkillResource(target.relative, hiddenFiles)) return null;
  return yield* withRegularFile(target.real, settings.hardLinks, function* ({ descriptor, stats }) {
    const size = Number(stats.size);
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
