import type { SkillMetadata } from '../contract/skill-provider.ts';

/**
 * What an agent knows of its skills for the length of one conversation: an immutable snapshot. Hold on to it while the conversation lasts, and what the
 * model sees stays the same to the byte, so prompt caches hold.
 */
export interface SkillCatalog {
  /** Skills that the model may load: the newest version of each name, in the order of the listing. */
  readonly skills: readonly SkillMetadata[];
  /** Everything that the provider listed: all versions, and also what the model may not see. */
  readonly listed: readonly SkillMetadata[];
  /** The part of the system prompt that names the skills and says how to use them. Empty where there are none. */
  readonly text: string;
  /** What `text` costs, in tokens, estimated. */
  readonly tokens: number;
}
