import { changedFiles } from '../contract/changed-files.ts';
import { isJsonObject } from '../contract/json-object.ts';
import type { SkillResourceEntry } from '../contract/skill-provider.ts';
import type { SkillChangedFiles } from '../events/skill-activity.ts';

type Listed = readonly Pick<SkillResourceEntry, 'path' | 'digest'>[];

export function digestsByPath(files: Listed): Record<string, string> {
  return Object.fromEntries(files.map(({ path, digest = '' }) => [path, digest]));
}

/**
 * Files that differ from those of an earlier content, `SKILL.md` not among them.
 *
 * @param files digests by path, as an approval keeps them
 */
export function filesSince(files: unknown, resources: Listed): SkillChangedFiles {
  return changedFiles(
    Object.entries(isJsonObject(files) ? (files as Record<string, string>) : {}),
    Object.entries(digestsByPath(resources)),
  );
}
