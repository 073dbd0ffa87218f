import { withLangGraph } from '@langchain/langgraph/zod';
import type { KeptSession } from '@repertoire/skills-core/internal';
import * as z from 'zod/v4';
import { lastValue, mergeByName, type LoadedSkills, type LoadedTools } from './skills-state.ts';

/** The channels of skills as fields of a zod schema; see {@link skillsZodState}. */
export type SkillsZodState = {
  loaded_skills: z.ZodType<LoadedSkills, LoadedSkills | undefined>;
  loaded_tools: z.ZodType<LoadedTools, LoadedTools | undefined>;
  _skill_session: z.ZodType<KeptSession | null, KeptSession | null | undefined>;
};

/**
 * The skill channels, to spread into the zod schema of a graph's state.
 *
 * @example
 * ```ts
 * import type { BaseMessage } from '@langchain/core/messages';
 * import { MessagesZodMeta } from '@langchain/langgraph';
 * import { withLangGraph } from '@langchain/langgraph/zod';
 * import { skillsZodState } from '@repertoire/adapter-langchain/langgraph';
 * import * as z from 'zod';
 *
 * export const State = z.object({ messages: withLangGraph(z.custom<BaseMessage[]>(), MessagesZodMeta), ...skillsZodState });
 * ```
 */
export const skillsZodState: SkillsZodState = {
  loaded_skills: channel<LoadedSkills>(mergeByName, () => ({})),
  loaded_tools: channel<LoadedTools>(mergeByName, () => ({})),
  _skill_session: channel<KeptSession | null>(lastValue, () => null),
};

function channel<Value>(fn: (current: Value, next: Value) => Value, empty: () => Value): z.ZodType<Value, Value | undefined> {
  const schema = z.custom<Value>().optional() as unknown as z.ZodType<Value, Value | undefined>;
  return withLangGraph(schema as never, { reducer: { fn }, default: empty });
}
