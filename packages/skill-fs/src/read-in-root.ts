import { SkillError } from '@repertoire/skills-core';
import { disk, type DiskSteps } from './disk-steps.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isInside } from './is-inside.ts';
import { isAbsence, readStart, withRegularFile } from './open-regular-file.ts';

/** The bytes of a regular file in the root; `null` if there is none. */
export function* readInRoot(
  path: string,
  realRoot: string,
  { links, hardLinks }: FileSystemSettings,
  maxBytes: number,
): DiskSteps<Uint8Array | null> {
  try {
    const real = yield* disk.realpath(path);
    if (links !== 'all' && !isInside(realRoot, real)) return null;
    return yield* withRegularFile(real, hardLinks, function* ({ descriptor, stats }) {
      const { size } = stats;
      if (size > maxBytes) throw new SkillError('invalid-skill', `${JSON.stringify(path)} has ${size} bytes, and ${maxBytes} is the limit`);
      return yield* readStart(descriptor, size);
    });
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}
