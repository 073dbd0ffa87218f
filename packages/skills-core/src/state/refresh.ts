import type { SkillMetadata } from '../contract/skill-provider.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from './skill-state.ts';

/** When to repeat the instructions of a skill that was loaded long ago. */
export interface SkillRefreshPolicy {
  /** Tokens of conversation after which a skill is due. */
  readonly afterTokens: number;
  /**
   * How it comes back. `tool-result`: the adapter adds a call of the load tool and its result
   * before the next model call. `on-load`: only when the model asks for it again, which then
   * answers with the text instead of "already active".
   * @default 'tool-result'
   */
  readonly via?: 'tool-result' | 'on-load' | undefined;
}

/**
 * Which loaded skills are due, in the order of loading. A pure function of the state and of `now`,
 * the length of the conversation in tokens, by the same count that the state's `at` came from.
 * Skills without `at` are never due. The policy of a trusted skill takes priority over the general
 * one.
 *
 * @param skills what the source lists, for the policies of skills. @default none
 */
export function skillsDueForRefresh(
  state: SkillState,
  policy: SkillRefreshPolicy | undefined,
  now: number,
  skills: readonly SkillMetadata[] = [],
): string[] {
  return loadedSkillNames(state).filter((name) => {
    const { at, inContext } = loadedSkill(state, name) ?? {};
    const { afterTokens } = refreshPolicyOf(name, skills, policy) ?? {};
    return inContext === true && at !== undefined && afterTokens !== undefined && now - at >= afterTokens;
  });
}

/** The policy that holds for a skill. */
export function refreshPolicyOf(
  name: string,
  skills: readonly SkillMetadata[],
  policy: SkillRefreshPolicy | undefined,
): SkillRefreshPolicy | undefined {
  return skills.find((skill) => skill.name === name && isTrusted(skill))?.refreshPolicy ?? policy;
}

/** Whether anything is ever repeated. */
export function refreshes(policy: SkillRefreshPolicy | undefined, skills: readonly SkillMetadata[]): boolean {
  return policy !== undefined || skills.some((skill) => skill.refreshPolicy !== undefined && isTrusted(skill));
}
