import {
  getConfig,
  isGraphBubbleUp,
  task,
  type BaseCheckpointSaver,
  type LangGraphRunnableConfig,
  type RetryPolicy,
} from '@langchain/langgraph';
import type { DurableEngine } from '../agent/durable-engine.ts';
import { watchedSaver } from './watched-saver.ts';

/** Options of {@link langGraphEngine}. */
export interface LangGraphEngineOptions {
  /** How steps of the model and the source are repeated. @default one attempt */
  readonly retry?: RetryPolicy | undefined;
}

/** LangGraph as a durable engine. */
export interface LangGraphEngine {
  /** The checkpointer for the graph. It tells when a step is recorded. */
  readonly checkpointer: BaseCheckpointSaver;
  /** The engine of one run, from the `config` that an entrypoint or a node got. */
  forRun(config: LangGraphRunnableConfig): DurableEngine;
}

/**
 * LangGraph, for an agent: in an `entrypoint`, or in a node of a graph. Each step is a task of
 * LangGraph, and its result is recorded before the next step starts. A run that was killed goes on
 * with `agent.invoke(null, config)`: finished steps do not run again, the one that was running
 * does.
 *
 * A run is one call of `invoke`, and a thread can have many. LangGraph does not stop two processes
 * that resume the same thread: both would run it.
 *
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
 * const engine = langGraphEngine(checkpointer);
 * const agent = entrypoint({ name: 'support', checkpointer: engine.checkpointer }, async (prompt: string, config) => {
 *   const durable = durableAgent(engine.forRun(config));
 *   const { session } = await durable.openSkills({ provider });
 *   return await durable.askModel(() => ask(session.instructions('You are a support agent.'), prompt));
 * });
 *
 * export const answer = async (): Promise<string> => await agent.invoke('Refund order A-17.', { configurable: { thread_id: 'A-17' } });
 * ```
 */
export function langGraphEngine(checkpointer: BaseCheckpointSaver, { retry }: LangGraphEngineOptions = {}): LangGraphEngine {
  const watched = watchedSaver(checkpointer);
  return {
    checkpointer: watched.saver,
    forRun(config) {
      const threadId = String(config.configurable?.['thread_id']);
      return {
        workflowId: `${threadId}:${taskIdOf(config)}`,
        isInterrupt: isGraphBubbleUp,
        async runStep(id, work) {
          let taskId: string | undefined;
          // LangGraph gives `:` and `|` in a name a meaning of their own.
          const step = task({ name: id.replaceAll(/[:|]/g, '-'), ...(retry !== undefined && { retry }) }, async () => {
            taskId = taskIdOf(getConfig());
            await watched.begin(taskId, threadId);
            return await work(config.signal);
          });
          try {
            const value = await step();
            // Without an id, nothing ran here: the result was recorded by an earlier process.
            if (taskId !== undefined) await watched.end(taskId, threadId);
            return value;
          } catch (error) {
            if (taskId !== undefined) watched.forget(taskId);
            throw error;
          }
        },
      };
    },
  };
}

/** The id of a task, the same when resumed: its namespace ends in `agent:<id>` or `step:<id>`. */
function taskIdOf({ configurable }: LangGraphRunnableConfig): string {
  const namespace = String(configurable?.['checkpoint_ns']);
  return namespace.slice(namespace.lastIndexOf(':') + 1);
}
