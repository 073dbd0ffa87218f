import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { SkillError } from '@repertoire/skills-core';
import { withMethods } from '../with-methods.ts';

/** A checkpointer, and what it has recorded. */
export interface WatchedSaver {
  readonly saver: BaseCheckpointSaver;
  /**
   * Call it in a step, before it does anything. Resolves when the checkpoint that it belongs to is
   * recorded.
   */
  begin(taskId: string, threadId: string): Promise<void>;
  /**
   * Call it behind a step. Resolves when its result is recorded.
   *
   * @throws {SkillError} `invalid-options` if LangGraph does not record it
   */
  end(taskId: string, threadId: string): Promise<void>;
  /** Call it behind a step that failed. */
  forget(taskId: string): void;
}

/**
 * LangGraph gives a result to the checkpointer right after it gave it to us, within one turn of the
 * event loop. The other turns are a reserve.
 */
const mostTurns = 10;

/**
 * Wraps a checkpointer, so that a step can wait until it is recorded. LangGraph itself does not
 * wait between tasks: a process could die when a step has begun and the result of the step before
 * it is lost.
 */
export function watchedSaver(checkpointer: BaseCheckpointSaver): WatchedSaver {
  const checkpoints = new Map<string, Promise<unknown>>();
  /** Results of running steps; `undefined` until LangGraph gives one to the checkpointer. */
  const results = new Map<string, Promise<unknown> | undefined>();

  const saver = withMethods(checkpointer, {
    put(...given) {
      const threadId = String(given[0].configurable?.['thread_id']);
      const saved = checkpointer.put(...given);
      const all = Promise.all([checkpoints.get(threadId), saved]).finally(() => {
        if (checkpoints.get(threadId) === all) checkpoints.delete(threadId);
      });
      // LangGraph has the failure too, and ends the run with it.
      all.catch(() => {});
      checkpoints.set(threadId, all);
      return saved;
    },
    putWrites(...given) {
      const [, , taskId] = given;
      const saved = checkpointer.putWrites(...given);
      if (results.has(taskId)) {
        saved.catch(() => {});
        results.set(taskId, saved);
      }
      return saved;
    },
  });
  return {
    saver,
    async begin(taskId, threadId) {
      results.set(taskId, undefined);
      await checkpoints.get(threadId);
    },
    async end(taskId, threadId) {
      try {
        for (let turn = 0; turn < mostTurns && results.get(taskId) === undefined; turn += 1)
          await new Promise<void>((resolve) => void setTimeout(resolve, 0));
        const recorded = results.get(taskId);
        if (recorded === undefined) {
          throw new SkillError(
            'invalid-options',
            "LangGraph does not record the steps of this run while it runs. Give the graph the checkpointer of langGraphEngine, and invoke it with durability 'sync' or 'async', not with 'exit'.",
          );
        }
        await Promise.all([recorded, checkpoints.get(threadId)]);
      } finally {
        results.delete(taskId);
      }
    },
    forget(taskId) {
      results.delete(taskId);
    },
  };
}
