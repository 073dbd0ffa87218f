import type { BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { SkillsNodeUpdate, SkillsState } from '@repertoire/adapter-langchain/langgraph';
import { toExpressionValue } from '../cel/values.ts';
import type { AgentPlan, UpdatePlan } from '../plan/agent-plan.ts';
import type { PlannedExpression } from '../plan/plan-expression.ts';
import { startValue } from '../plan/plan-state.ts';
import type { AgentSkills } from './agent-skills.ts';

/** Variables of expressions, already converted. */
export type Variables = Readonly<Record<string, unknown>>;

/** What a node knows while it runs. */
export interface Scope {
  /** The state, with the catalog. */
  readonly state: SkillsState;
  readonly variables: Variables;
  /** Stores the catalog; part of the node's update. */
  readonly update: SkillsNodeUpdate;
}

/** Creates the scope of nodes and edges. */
export type OpenScope = (state: SkillsState, config: RunnableConfig, expressions: readonly PlannedExpression[]) => Promise<Scope>;

export function scopes({ channels, prompts }: AgentPlan, skills: AgentSkills): OpenScope {
  return async (state, config, expressions) => {
    const readsSkills = expressions.some(({ uses }) => uses.has('skills'));
    const { state: known, update } = readsSkills ? await skills.keep(state, config) : { state, update: {} };
    const entries = readsSkills ? await skills.entries(known, config) : {};
    return { state: known, update, variables: { state: stateValues(known, channels), prompts, skills: entries } };
  };
}

/** The scope with other messages, such as those that a model will read. */
export function withMessages(variables: Variables, messages: readonly BaseMessage[]): Variables {
  const state = variables['state'] as Variables;
  return { ...variables, state: { ...state, messages: toExpressionValue(messages) } };
}

/** The update that a node's expressions produce. */
export function updateOf(updates: UpdatePlan, variables: Variables): Record<string, unknown> {
  return Object.fromEntries(updates.map(({ channel, expression }) => [channel, expression.evaluate(variables)]));
}

/** The expressions of an update. */
export function expressionsOf(updates: UpdatePlan): PlannedExpression[] {
  return updates.map(({ expression }) => expression);
}

function stateValues(state: SkillsState, channels: AgentPlan['channels']): Variables {
  const values = state as unknown as Variables;
  const own = Object.entries(channels).map(([name, channel]) => {
    const value = values[name] ?? startValue(channel);
    // In a `double` channel, a whole number must stay a double.
    return [name, channel.type === 'double' ? value : toExpressionValue(value)];
  });
  return {
    ...Object.fromEntries(own),
    messages: toExpressionValue(state.messages ?? []),
    loaded_skills: toExpressionValue(state.loaded_skills ?? {}),
    loaded_tools: toExpressionValue(state.loaded_tools ?? {}),
  };
}
