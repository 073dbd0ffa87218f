import path from 'node:path';
import { isInside } from '@repertoire/skill-fs/internal';

/**
 * Whether a path lies in a folder, where Git tells one of the two: it composes names that macOS
 * keeps as they were typed. Never for what may be read, since elsewhere these are two names.
 *
 * @param paths the rules of another system, for tests
 */
export function isInsideByGit(folder: string, file: string, paths: Parameters<typeof isInside>[2] = path): boolean {
  return isInside(folder.normalize('NFC'), file.normalize('NFC'), paths);
}
