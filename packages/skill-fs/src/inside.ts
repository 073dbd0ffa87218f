import fs from 'node:fs';
import path from 'node:path';
import { isWindowsTrick } from '@repertoire/skills-core/internal';
import { isResourcePath } from '@repertoire/skills-core/provider';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isAbsence, openRegularFile, type OpenedFile } from './open-regular-file.ts';

/** The part of `node:path` that tells where a path leads. */
interface PathRules {
  readonly sep: string;
  relative(from: string, to: string): string;
  isAbsolute(path: string): boolean;
}

/** What no real path has. */
const oddSegment = /\/(?:\.{0,2}\/|\.{1,2}$)/;

/**
 * Whether a real path is a folder or lies in it. Both have to be real paths; no link is looked at
 * here.
 *
 * @param paths the rules of another system, for tests
 */
export function isInside(folder: string, target: string, paths: PathRules = path): boolean {
  // Nearly all are, and `relative` takes as long as a call of the disk.
  if (paths.sep === '/' && target.startsWith(`${folder}/`) && !oddSegment.test(target)) return true;
  const relative = paths.relative(folder, target);
  return relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative);
}

/**
 * The same path with `/` between folders, which is what Windows takes too.
 *
 * @param paths the rules of another system, for tests
 */
export function withSlashes(native: string, paths: PathRules = path): string {
  // Elsewhere a backslash is a letter like any other.
  return paths.sep === '\\' ? native.replaceAll('\\', '/') : native;
}

/** The real path of what is there; `null` if nothing is. */
export function realPathOf(place: string): string | null {
  try {
    return fs.realpathSync.native(place);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/**
 * Opens a regular file that a root may show, all links followed.
 *
 * @param real where it lies if no link is on the way, which opening it proves; `null` if one is
 * @returns `null` where there is none, or it leads out of the root
 */
export function openInRoot(
  file: string,
  real: string | null,
  realRoot: string,
  { links, hardLinks }: Pick<FileSystemSettings, 'links' | 'hardLinks'>,
): OpenedFile | null {
  const opened = real !== null && isInside(realRoot, real) ? openRegularFile(real, hardLinks) : null;
  if (opened !== null) return opened;
  const target = realPathOf(file);
  // What became a link since must not lead further than one that always was.
  return target === null || (links !== 'all' && !isInside(realRoot, target)) ? null : openRegularFile(target, hardLinks);
}

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
export function resolveInside(realFolder: string, resourcePath: string): InsidePath | null {
  if (!isResourcePath(resourcePath) || (path.sep === '\\' && isWindowsTrick(resourcePath))) return null;
  const real = realInside(realFolder, resourcePath) ?? bySpelling(realFolder, resourcePath);
  if (real === null) return null;
  const relative = withSlashes(path.relative(realFolder, real)).normalize('NFC');
  return relative === '' ? null : { real, relative };
}

function realInside(realFolder: string, relative: string): string | null {
  const real = realPathOf(path.join(realFolder, relative));
  return real !== null && isInside(realFolder, real) ? real : null;
}

function bySpelling(realFolder: string, resourcePath: string): string | null {
  if (/^[\u0000-\u007F]*$/.test(resourcePath)) return null;
  let real = realFolder;
  for (const segment of resourcePath.split('/')) {
    const names = namesIn(real);
    const spelled = names.includes(segment) ? segment : names.sort().find((name) => name.normalize('NFC') === segment);
    if (spelled === undefined) return null;
    // Step by step, so that no folder outside is even listed.
    const next = realInside(realFolder, path.join(path.relative(realFolder, real), spelled));
    if (next === null) return null;
    real = next;
  }
  return real;
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}
