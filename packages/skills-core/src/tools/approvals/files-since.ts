import { fieldOf, type JsonObject } from '../../contract/json-object.ts';
import type { SkillResourceEntry } from '../../contract/skill-provider.ts';

/** Files that differ from those of an approval, `SKILL.md` not among them. */
export interface FilesSince {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/**
 * Compares files with those that were approved.
 *
 * @param files digests by path, as an approval keeps them
 */
export function filesSince(files: JsonObject, resources: readonly Pick<SkillResourceEntry, 'path' | 'digest'>[]): FilesSince {
  const present = new Map(resources.map(({ path, digest = '' }) => [path, digest]));
  return {
    added: [...present.keys()].filter((path) => !Object.hasOwn(files, path)),
    removed: Object.keys(files).filter((path) => !present.has(path)),
    changed: [...present].filter(([path, digest]) => Object.hasOwn(files, path) && fieldOf(files, path) !== digest).map(([path]) => path),
  };
}
