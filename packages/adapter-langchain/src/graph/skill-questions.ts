import { Command, type BaseCheckpointSaver } from '@langchain/langgraph';
import type { SkillAnswer, SkillQuestion } from '@repertoire/skills-core';

/** A question about a skill that a thread waits with. */
export interface ThreadQuestion {
  /** The thread that waits. */
  readonly thread: string;
  readonly question: SkillQuestion;
}

/** How a thread goes on: `graph.invoke(command, config)`, in any process. */
export interface AnsweredThread {
  readonly config: { readonly configurable: { readonly thread_id: string } };
  readonly command: Command;
}

/** The questions that threads of a checkpointer wait with. */
export interface SkillQuestions {
  /**
   * Questions of all threads, those of the newest first.
   *
   * @param limit how many checkpoints are looked at, the newest first. @default 1,000
   */
  list(limit?: number): Promise<readonly ThreadQuestion[]>;
  /** What one thread waits with. */
  one(thread: string): Promise<readonly ThreadQuestion[]>;
  /**
   * Carries an answer to the question that it names; `undefined` if the thread does not wait with
   * it. Whatever else it waits with is asked again.
   */
  answer(thread: string, question: string, answer: SkillAnswer): Promise<AnsweredThread | undefined>;
}

/** A write of a task: its id, the channel, the value. */
type Write = readonly [task: string, channel: string, value: unknown];

/**
 * Lists questions about skills for a page of people who answer them. They are read from the
 * checkpoints of a graph that has `approvals`, so they are there after a restart and in every
 * process.
 *
 * @example
 * ```ts
 * import type { BaseCheckpointSaver } from '@langchain/langgraph';
 * import { skillQuestions } from '@repertoire/adapter-langchain/langgraph';
 *
 * export async function approveAll(checkpointer: BaseCheckpointSaver, graph: { invoke(input: unknown, config: object): Promise<unknown> }): Promise<void> {
 *   const questions = skillQuestions(checkpointer);
 *   for (const { thread, question } of await questions.list()) {
 *     const answered = await questions.answer(thread, question.id, { answer: 'once' });
 *     if (answered !== undefined) await graph.invoke(answered.command, answered.config);
 *   }
 * }
 * ```
 */
export function skillQuestions(checkpointer: BaseCheckpointSaver): SkillQuestions {
  const waiting = async (thread: string): Promise<readonly Interrupted[]> => {
    const tuple = await checkpointer.getTuple({ configurable: { thread_id: thread, checkpoint_ns: '' } });
    return interruptedIn(tuple?.pendingWrites ?? []);
  };
  return {
    async list(limit = 1000) {
      const seen = new Set<string>();
      const found: ThreadQuestion[] = [];
      for await (const { config, pendingWrites } of checkpointer.list({ configurable: {} }, { limit })) {
        const { thread_id: thread, checkpoint_ns: namespace } = config.configurable ?? {};
        // The newest checkpoint of a thread comes first; sub-graphs tell their interrupts to the
        // graph.
        if (typeof thread !== 'string' || (namespace ?? '') !== '' || seen.has(thread)) continue;
        seen.add(thread);
        const own = pendingWrites === undefined ? await waiting(thread) : interruptedIn(pendingWrites);
        found.push(...own.map(({ question }) => ({ thread, question })));
      }
      return found;
    },
    one: async (thread) => (await waiting(thread)).map(({ question }) => ({ thread, question })),
    async answer(thread, question, answer) {
      const found = (await waiting(thread)).find((each) => each.question.id === question);
      if (found === undefined) return undefined;
      const said = { ...answer, question };
      const command = new Command({ resume: found.id === undefined ? said : { [found.id]: said } });
      return { command, config: { configurable: { thread_id: thread } } };
    },
  };
}

interface Interrupted {
  /** Names the interrupt, where a graph has several. */
  readonly id: string | undefined;
  readonly question: SkillQuestion;
}

function interruptedIn(writes: readonly Write[]): readonly Interrupted[] {
  const resumed = new Set(writes.filter(([, channel]) => channel === '__resume__').map(([task]) => task));
  return writes
    .filter(([task, channel]) => channel === '__interrupt__' && !resumed.has(task))
    .flatMap(([, , value]) => (Array.isArray(value) ? (value as readonly unknown[]) : [value]))
    .flatMap((interrupt) => {
      const { id, value } = interrupt as { readonly id?: unknown; readonly value?: unknown };
      return isQuestion(value) ? [{ id: typeof id === 'string' ? id : undefined, question: value }] : [];
    });
}

/** Graphs interrupt for other reasons, too. */
function isQuestion(value: unknown): value is SkillQuestion {
  const { id, kind, skills } = (value ?? {}) as Partial<SkillQuestion>;
  return typeof id === 'string' && (kind === 'load' || kind === 'call' || kind === 'read') && Array.isArray(skills);
}
