import type { SkillMetadata } from '../contract/skill-provider.ts';
import { isTrusted } from '../contract/is-trusted.ts';

/** A skill that wants an agent of its own, whose result answers the load call. */
export interface SkillFork {
  readonly skill: string;
  /** Kind of agent that the skill names, such as `Explore`; the adapter decides what it means. */
  readonly agent?: string | undefined;
  /** Model that the skill names, where it is trusted. */
  readonly model?: string | undefined;
  /** What the agent is to do: the rendered skill with its arguments. */
  readonly prompt: string;
  /** The arguments that the skill was asked for with, if any: they stand in the prompt. */
  readonly arguments?: string | undefined;
}

/** Whether loading runs an agent of its own. Untrusted skills are loaded like others. */
export function wantsFork(skill: SkillMetadata): boolean {
  return skill.context === 'fork' && isTrusted(skill);
}
