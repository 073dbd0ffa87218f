import type { RunnableConfig } from '@langchain/core/runnables';
import type { Skillset } from '@repertoire/skills-core';
import { langGraphSkills, type LangGraphSkillsOptions } from './langgraph-skills.ts';
import type { SkillsArguments } from '../binding/skills-options.ts';
import type { SkillsState } from './skills-graph-state.ts';
import type { SkillsNodeUpdate } from './node-update.ts';
import type { SkillWanted } from './load-wanted.ts';

/**
 * Creates a node that loads the skills that `select` finds in the state, before a model is called.
 * Shorthand for `langGraphSkills(skillset, ...options).loadSkillsNode(select)`.
 *
 * @throws {SkillError} `reserved-tool-name`
 * @example
 * ```ts
 * import { MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
 * import { loadSkillsNode, skillsState } from '@repertoire/adapter-langchain/langgraph';
 * import type { Skillset } from '@repertoire/skills-core';
 * import * as z from 'zod';
 *
 * const State = new StateSchema({ messages: MessagesValue, selected: z.array(z.object({ id: z.string(), version: z.string().optional() })).default([]), ...skillsState });
 *
 * export const graphOf = (skillset: Skillset) =>
 *   new StateGraph(State).addNode('load_skills', loadSkillsNode(skillset, (state: typeof State.State) => state.selected)).addEdge(START, 'load_skills').compile();
 * ```
 */
export function loadSkillsNode<State extends SkillsState, Context = undefined>(
  skillset: Skillset<Context>,
  select: (state: State) => readonly (SkillWanted | string)[] | undefined,
  ...options: SkillsArguments<Context, LangGraphSkillsOptions<Context>>
): (state: State, config?: RunnableConfig) => Promise<SkillsNodeUpdate> {
  const [given] = options as readonly [options?: LangGraphSkillsOptions<unknown>];
  return langGraphSkills(skillset as Skillset<unknown>, given).loadSkillsNode(select);
}
