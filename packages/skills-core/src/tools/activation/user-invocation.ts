import { findAlike, skillNotFound } from '../../catalog/find-skill.ts';
import { isUserInvocable, newestOfEach, type SkillCatalog } from '../../catalog/skill-catalog.ts';
import type { SkillMetadata } from '../../contract/skill-provider.ts';

/** Longer words are no names of skills. */
const maxNameLength = 1_000;

/** A skill that a person asked for by typing its name. */
export interface SkillCommand {
  /** Name as typed, without `/` or `$`. */
  readonly name: string;
  /** What was typed behind it. */
  readonly arguments?: string | undefined;
}

/**
 * Reads `/skill-name arguments` or `$skill-name arguments` as a person types it: the sign at the
 * start, then the name, then anything. Text that is not of this form (a path such as `/etc/hosts`,
 * a price such as `$5`, a word in the middle of a sentence) is `null`.
 *
 * @example
 * ```ts
 * import { parseSkillCommand } from '@repertoire/skills-core/adapter';
 *
 * parseSkillCommand('/fix-issue 123 "high priority"'); // { name: 'fix-issue', arguments: '123 "high priority"' }
 * ```
 */
export function parseSkillCommand(text: string): SkillCommand | null {
  const command = text.trim();
  const blank = command.search(/\s/);
  const word = blank === -1 ? command : command.slice(0, blank);
  if (word.length > maxNameLength || !/^(?:\/[\p{L}\p{N}][^/]*|\$\p{L}[^/$]*)$/u.test(word)) return null;
  const name = word.slice(1);
  return blank === -1 ? { name } : { name, arguments: command.slice(blank).trim() };
}

/**
 * Returns the skills that a person may start, for menus and completion: the newest version of each.
 *
 * @example
 * ```ts
 * import type { SkillSession } from '@repertoire/skills-core';
 * import { userInvocableSkills } from '@repertoire/skills-core/adapter';
 *
 * export const menu = ({ catalog }: SkillSession): string[] =>
 *   userInvocableSkills(catalog).map(({ name, description }) => `/${name}: ${description}`);
 * ```
 */
export function userInvocableSkills(catalog: Pick<SkillCatalog, 'listed'>): readonly SkillMetadata[] {
  return newestOfEach(catalog.listed).filter(isUserInvocable);
}

/**
 * Whether a text names no skill that a person may start, and is no attempt at it: `$HOME is empty`.
 * After a slash, an unknown name is a mistake that the person is told.
 */
export function isNoUserSkill(catalog: Pick<SkillCatalog, 'listed'>, text: string, name: string): boolean {
  return text.trimStart().startsWith('$') && userSkill(catalog, name) === undefined;
}

function userSkill(catalog: Pick<SkillCatalog, 'listed'>, name: string): SkillMetadata | undefined {
  const skills = userInvocableSkills(catalog);
  return skills.find((skill) => skill.name === name) ?? findAlike(skills, name);
}

/**
 * @throws {SkillError} `skill-not-found`. It may reach a model, so it names only what the catalog
 *   shows.
 */
export function findUserSkill(catalog: Pick<SkillCatalog, 'skills' | 'listed'>, name: string): SkillMetadata {
  const found = userSkill(catalog, name);
  if (found === undefined) throw skillNotFound(catalog.skills.filter(isUserInvocable), name);
  return found;
}
