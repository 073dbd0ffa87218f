import type { SkillMetadata } from '../contract/skill-provider.ts';

/**
 * What an agent knows of its skills for the length of one conversation: an immutable snapshot. Hold on to it while the conversation lasts, and what the
 * model sees stays the same to the byte, so prompt caches hold.
 */
export interface SkillCatalog<Context = unknown> {
  /** Skills that the model sees: the newest version of each name, in the order of the listing. */
  readonly skills: readonly SkillMetadata[];
  /** Everything that the provider listed and the host selected: all versions, and also what the model may not see. */
  readonly listed: readonly SkillMetadata[];
  /** The part of the system prompt that names the skills and says how to use them. Empty where there are none. */
  readonly text: string;
  /** The list as the description of the load tool has it, where skills are to stand there. Empty by default. */
  readonly toolText: string;
  /** What both texts cost, in tokens, estimated. */
  readonly tokens: number;
  /** What had to be cut to keep the budget; every skill can be loaded all the same. */
  readonly cut: SkillCatalogCut;
  /** What the host said of the request: the tenant, the role. */
  readonly context: Context;
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

/** The newest version of each name: the listing has it first. */
export function newestOfEach(listed: readonly SkillMetadata[]): SkillMetadata[] {
  const seen = new Set<string>();
  return listed.filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** Whether a model may load it at all. Whether it also *sees* it is up to permissions and the budget. */
export function isModelInvocable(skill: SkillMetadata): boolean {
  return skill.disableModelInvocation !== true;
}

/** Whether a person may start it by `/name`. */
export function isUserInvocable(skill: SkillMetadata): boolean {
  return skill.userInvocable !== false;
}
