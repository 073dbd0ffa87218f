import { SkillError } from '@repertoire/skills-core';
import { mediaTypeOf, sha256Hex, type SkillResource } from '@repertoire/skills-core/provider';
import type { DiskSteps } from './disk-steps.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isSkillResource } from './is-skill-resource.ts';
import { readStart, withRegularFile } from './open-regular-file.ts';
import { resolveInside } from './resolve-inside.ts';
import { isVisibleName } from './visible-names.ts';

/** A thread of whoever wants the digest hashes more than these. */
const mostHashedBytes = 1_048_576;

/**
 * Reads one file of a skill, in this order: the path's form, what it leads to with all links followed, whether that may be read, whether it is a
 * regular file, and whether the file that was opened is the one that was checked.
 *
 * @throws {SkillError} `limit-exceeded` for a file beyond `limits.resourceBytes` that is asked for as a whole
 */
export function* readResourceFile(
  realFolder: string,
  skillFolders: ReadonlySet<string>,
  path: string,
  maxBytes: number | undefined,
  settings: FileSystemSettings,
): DiskSteps<SkillResource | null> {
  const { hiddenFiles, limits, label } = settings;
  if (!path.split('/').every((segment) => isVisibleName(segment, hiddenFiles))) return null;
  const target = yield* resolveInside(realFolder, path);
  if (target === null || !isSkillResource(target.relative, realFolder, skillFolders, hiddenFiles)) return null;
  return yield* withRegularFile(target.real, settings.hardLinks, function* ({ descriptor, stats }) {
    const size = Number(stats.size);
    const length = Math.min(size, maxBytes ?? size);
    if (maxBytes === undefined && size > limits.resourceBytes) {
      throw new SkillError(
        'limit-exceeded',
        `[skill-fs] ${JSON.stringify(path)} has ${size} bytes, and ${limits.resourceBytes} is the limit. Ask for its start with maxBytes, or raise limits.resourceBytes.`,
        { path, source: label },
      );
    }
    const bytes = yield* readStart(descriptor, length);
    // The file shrank while it was read: its size is what was read.
    return { path, bytes, size: bytes.length < length ? bytes.length : size, mediaType: mediaTypeOf(path) };
  });
}

/** Adds the digest of what was read as a whole: it is made of these very bytes. */
export async function withDigest(resource: SkillResource | null): Promise<SkillResource | null> {
  if (resource === null) return null;
  const { bytes, size } = resource;
  return bytes.length === size && size <= mostHashedBytes ? { ...resource, digest: await sha256Hex(bytes) } : resource;
}
