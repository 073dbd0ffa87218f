import { fieldOf, isJsonObject } from '../contract/json-object.ts';
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
  const [before, now] = [isJsonObject(files) ? files : {}, digestsByPath(resources)];
  const present = Object.keys(now).toSorted();
  return {
    added: present.filter((path) => !Object.hasOwn(before, path)),
    removed: Object.keys(before)
      .filter((path) => !Object.hasOwn(now, path))
      .toSorted(),
    changed: present.filter((path) => Object.hasOwn(before, path) && fieldOf(before, path) !== now[path]),
  };
}
