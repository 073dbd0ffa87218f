import path from 'node:path';
import { isWindowsTrick } from '@repertoire/skills-core/internal';
import { isResourcePath } from '@repertoire/skills-core/provider';
import { disk, type DiskSteps } from './disk-steps.ts';
import { isInside } from './is-inside.ts';
import { isAbsence } from './open-regular-file.ts';
import { withSlashes } from './with-slashes.ts';

/** Where a path of a skill leads. */
export interface InsidePath {
  /** The real path of what is there; inside the folder. */
  readonly real: string;
  /** The same, relative, in NFC. Differs from what was asked for where a link was on the way. */
  readonly relative: string;
}

/**
 * Finds what a path leads to and makes sure that it lies in the folder, all links followed. A name
 * that the disk keeps in another Unicode normal form than NFC is found too.
 *
 * @param realFolder the skill's folder, by its real path
 * @returns `null` where there is nothing, or it lies elsewhere
 */
export function* resolveInside(realFolder: string, resourcePath: string): DiskSteps<InsidePath | null> {
  if (!isResourcePath(resourcePath) || (path.sep === '\\' && isWindowsTrick(resourcePath))) return null;
  const real = (yield* realInside(realFolder, resourcePath)) ?? (yield* bySpelling(realFolder, resourcePath));
  if (real === null) return null;
  const relative = withSlashes(path.relative(realFolder, real)).normalize('NFC');
  return relative === '' ? null : { real, relative };
}

function* realInside(realFolder: string, relative: string): DiskSteps<string | null> {
  try {
    const real = yield* disk.realpath(path.join(realFolder, relative));
    return isInside(realFolder, real) ? real : null;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

function* bySpelling(realFolder: string, resourcePath: string): DiskSteps<string | null> {
  if (/^[\u0000-\u007F]*$/.test(resourcePath)) return null;
  let real = realFolder;
  for (const segment of resourcePath.split('/')) {
    const names = yield* namesIn(real);
    const spelled: string | undefined = names.includes(segment) ? segment : names.sort().find((name) => name.normalize('NFC') === segment);
    if (spelled === undefined) return null;
    // Step by step, so that no folder outside is even listed.
    const next: string | null = yield* realInside(realFolder, path.join(path.relative(realFolder, real), spelled));
    if (next === null) return null;
    real = next;
  }
  return real;
}

function* namesIn(folder: string): DiskSteps<string[]> {
  try {
    return yield* disk.names(folder);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}
