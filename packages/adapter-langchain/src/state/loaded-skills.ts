import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import type { LoadedSkill } from '@repertoire/skills-core/internal';
import { readGraphState } from './graph-state.ts';
import { channelsOf } from './skills-state.ts';

/** A loaded skill of a graph's state. */
export type LoadedSkillEntry = LoadedSkill & { readonly name: string };

/**
 * Returns the loaded skills of a result, a chunk of `streamMode: 'values'` or a state, in load
 * order. It reads what the state claims: use it to show something, not to decide what is allowed.
 *
 * @param namespace as in the options of the skillset that loaded them. @default none
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import { skillsMiddleware } from '@repertoire/adapter-langchain';
 * import { loadedSkills } from '@repertoire/adapter-langchain/langgraph';
 * import type { Skillset } from '@repertoire/skills-core';
 * import { createAgent } from 'langchain';
 *
 * export async function namesAfter(skillset: Skillset, model: BaseChatModel, content: string): Promise<string[]> {
 *   const agent = createAgent({ model, middleware: [skillsMiddleware(skillset)] });
 *   const result = await agent.invoke({ messages: [{ role: 'user', content }] });
 *   return loadedSkills(result).map(({ name }) => name);
 * }
 * ```
 */
export function loadedSkills(result: unknown, namespace?: string): LoadedSkillEntry[] {
  const { claimed } = readGraphState(result, channelsOf(namespace));
  return loadedSkillNames(claimed).flatMap((name) => {
    const skill = claimed.loaded[name];
    return skill === undefined ? [] : [{ name, ...skill }];
  });
}
