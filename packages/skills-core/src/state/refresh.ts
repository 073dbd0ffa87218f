import { loadedSkill, loadedSkillNames, type SkillState } from './skill-state.ts';

/** When to repeat the instructions of a skill that was loaded long ago. */
export interface SkillRefreshPolicy {
  /** Tokens of conversation after which a skill is due. */
  readonly afterTokens: number;
  /**
   * How it comes back. `tool-result`: the adapter adds a call of the load tool and its result before the next model call. `on-load`: only when the model asks for
   * it again, which then answers with the text instead of "already active".
   * @default 'tool-result'
   */
  readonly via?: 'tool-result' | 'on-load' | undefined;
}

/**
 * Which loaded skills are due, in the order of loading. A pure function of the state and of where the conversation is: `now` is its length in tokens, by the same
 * count that the state's `at` came from. Skills without `at` are never due.
 */
export function skillsDueForRefresh(state: SkillState, policy: SkillRefreshPolicy, now: number): string[] {
  return loadedSkillNames(state).filter((name) => {
    const { at, inContext } = loadedSkill(state, name) ?? {};
    return inContext === true && at !== undefined && now - at >= policy.afterTokens;
  });
}
