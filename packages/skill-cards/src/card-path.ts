import { SkillError } from '@repertoire/skills-core';
import { normalizeResourcePath } from '@repertoire/skills-core/internal';

/** The file that a path in a card means; `undefined` for one that is not inside the skill. */
export function readCardPath(written: string): string | undefined {
  try {
    return normalizeResourcePath(written);
  } catch (error) {
    if (SkillError.isInstance(error)) return undefined;
    throw error;
  }
}

/** The path that a reader takes for this file: the end of `c#.md` would be read as an anchor. */
export function writeCardPath(path: string): string {
  return readCardPath(path) === path ? path : path.replaceAll(/[#%?\s]/g, encodeURIComponent);
}
