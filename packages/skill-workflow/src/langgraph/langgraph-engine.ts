import { isGraphBubbleUp, task, type LangGraphRunnableConfig, type RetryPolicy } from '@langchain/langgraph';
import { SkillError } from '@repertoire/skills-core';
import { checkpointSteps } from '@repertoire/skills-core/adapter';
import type { DurableEngine } from '../agent/durable-engine.ts';

/** Options of {@link langGraphEngine}. */
export interface LangGraphEngineOptions {
  /** How steps of the model and the source are repeated. @default one attempt */
  readonly retry?: RetryPolicy | undefined;
}

/**
 * LangGraph, for an agent: in an `entrypoint`, or in a node of a graph, with a checkpointer. Each
 * step is a task of LangGraph, and its result is recorded before the next step starts. A run that
 * was killed goes on with `agent.invoke(null, config)`: finished steps do not run again, the one
 * that was running does.
 *
 * A run is one call of `invoke`, and a thread can have many. LangGraph does not stop two processes
 * that resume the same thread: both would run it.
 *
 * @param config the one that the entrypoint or the node got
 * @throws {SkillError} `invalid-options` without a checkpointer, and for `durability: 'exit'`
 * @example
 * ```ts
 * import { entrypoint, type BaseCheckpointSaver } from '@langchain/langgraph';
 * import { durableAgent } from '@repertoire/skill-workflow/agent';
 * import { langGraphEngine } from '@repertoire/skill-workflow/langgraph';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * declare const checkpointer: BaseCheckpointSaver;
 * declare const provider: SkillProvider;
 * declare function ask(system: string, prompt: string): Promise<string>;
 *
 * const agent = entrypoint({ name: 'support', checkpointer }, async (prompt: string, config) => {
 *   const durable = durableAgent(langGraphEngine(config));
 *   const { session } = await durable.openSkills({ provider });
 *   return await durable.askModel(() => ask(session.instructions('You are a support agent.'), prompt));
 * });
 *
 * export const answer = async (): Promise<string> => await agent.invoke('Refund order A-17.', { configurable: { thread_id: 'A-17' } });
 * ```
 */
export function langGraphEngine(config: LangGraphRunnableConfig, { retry }: LangGraphEngineOptions = {}): DurableEngine {
  const engine = checkpointSteps({ task, isGraphBubbleUp }, config, retry);
  if (engine !== undefined) return engine;
  throw new SkillError(
    'invalid-options',
    "langGraphEngine was called where LangGraph records nothing. Call it in an entrypoint or a node of a graph with a checkpointer, invoked with a thread_id and durability 'sync' or 'async'.",
  );
}
