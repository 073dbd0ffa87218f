import type { SkillMetadata } from '../contract/skill-provider.ts';

/** What an agent knows of its skills: plain, deep-frozen JSON, equal while nothing changes. */
export interface SkillCatalog {
  /** Skills that the model sees: the newest version of each name, sorted by name. */
  readonly skills: readonly SkillMetadata[];
  /** Every version of each skill that the host selected, also what the model may not see. */
  readonly listed: readonly SkillMetadata[];
  /** The part of the system prompt about skills. Empty if there are none. */
  readonly text: string;
  /** The list in the description of the load tool. Empty by default. */
  readonly toolText: string;
  /** What both texts cost, in tokens, estimated. */
  readonly tokens: number;
  /** What was cut to keep the budget; every skill can be loaded all the same. */
  readonly cut: SkillCatalogCut;
}

/** Names of the skills that a catalog's budget concerned, in the order of the list. */
export interface SkillCatalogCut {
  /** Their descriptions are shortened. */
  readonly shortened: readonly string[];
  /** They are listed without a description. */
  readonly nameOnly: readonly string[];
  /** They are not listed; the catalog says how many, and how they are found. */
  readonly dropped: readonly string[];
}

/** The newest version of each name, which comes first in a listing. */
export function newestOfEach(listed: readonly SkillMetadata[]): SkillMetadata[] {
  const seen = new Set<string>();
  return listed.filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** Whether a model may load it. Whether it *sees* it is up to permissions and the budget. */
export function isModelInvocable(skill: SkillMetadata): boolean {
  return skill.disableModelInvocation !== true;
}

/** Whether a person may start it by `/name`. */
export function isUserInvocable(skill: SkillMetadata): boolean {
  return skill.userInvocable !== false;
}
