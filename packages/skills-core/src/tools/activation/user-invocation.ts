import { findAlike, skillNotFound } from '../../catalog/find-skill.ts';
import { isUserInvocable, newestOfEach, type SkillCatalog } from '../../catalog/skill-catalog.ts';
import type { SkillMetadata } from '../../contract/skill-provider.ts';

/** A skill that a person asked for by typing its name. */
export interface SkillCommand {
  /** Name as typed, without the slash. */
  readonly name: string;
  /** What was typed behind it. */
  readonly arguments?: string | undefined;
}

/**
 * Reads `/skill-name arguments` as a person types it: a slash at the start, then the name, then anything. Text that is not of this form (a path such as
 * `/etc/hosts`, a word in the middle of a sentence) is `null`.
 *
 * @example
 * ```ts
 * import { parseSkillCommand } from '@repertoire/skills-core/state';
 *
 * parseSkillCommand('/fix-issue 123 "high priority"'); // { name: 'fix-issue', arguments: '123 "high priority"' }
 * ```
 */
export function parseSkillCommand(text: string): SkillCommand | null {
  const match = /^\s*\/([\p{L}\p{N}][^\s/]*)(?:\s+([\s\S]*\S))?\s*$/u.exec(text);
  if (match?.[1] === undefined) return null;
  return match[2] === undefined ? { name: match[1] } : { name: match[1], arguments: match[2] };
}

/** The skills that a person may start, for menus and completion. */
export function userInvocableSkills(catalog: Pick<SkillCatalog, 'listed'>): readonly SkillMetadata[] {
  return newestOfEach(catalog.listed).filter(isUserInvocable);
}

/** @throws {SkillError} `skill-not-found` */
export function findUserSkill(catalog: Pick<SkillCatalog, 'listed'>, name: string): SkillMetadata {
  const skills = userInvocableSkills(catalog);
  const found = skills.find((skill) => skill.name === name) ?? findAlike(skills, name);
  if (found === undefined) throw skillNotFound(skills, name);
  return found;
}
