import type { Agent, AgentOutputType, RunState, RunToolApprovalItem } from '@openai/agents-core';
import type { SkillAnswer, SkillQuestion } from '@repertoire/skills-core';
import type { AgentBinding } from '../agent/bind-agent.ts';
import { inputOf } from '../items/turns-of-items.ts';
import { restoreRun } from './restore-run.ts';

/**
 * Runs that wait for a person: the text of each (`result.state.toString()`), by a name that the
 * host gives it. A `Map` is one.
 */
export interface WaitingRuns {
  get(run: string): string | undefined | PromiseLike<string | undefined>;
  keys(): Iterable<string> | PromiseLike<Iterable<string>>;
}

/** A question about a skill that a run waits with. */
export interface RunQuestion {
  readonly run: string;
  readonly question: SkillQuestion;
}

/** The questions that runs wait with. */
export interface RunQuestions<TContext, TOutput extends AgentOutputType> {
  /** Questions of all runs. */
  list(): Promise<readonly RunQuestion[]>;
  /** What one run waits with. */
  one(run: string): Promise<readonly RunQuestion[]>;
  /**
   * Carries an answer to the question that it names, and returns the run as it goes on:
   * `run(agent, state)`, in any process. `undefined` if the run does not wait with it. Whatever
   * else it waits with is asked again.
   *
   * @param by who answered: the host's word
   */
  answer(
    run: string,
    question: string,
    answer: SkillAnswer,
    by?: string,
  ): Promise<RunState<TContext, Agent<TContext, TOutput>> | undefined>;
}

/**
 * See {@link OpenAiAgentsSkills.questions}.
 *
 * @param contextOf the context of a run, as `run` received it
 */
export function runQuestions<TContext, TOutput extends AgentOutputType>(
  agent: Agent<TContext, TOutput>,
  binding: AgentBinding<TContext> | undefined,
  runs: WaitingRuns,
  contextOf: (run: string) => TContext | Promise<TContext>,
): RunQuestions<TContext, TOutput> {
  const open = async (run: string) => {
    const text = await runs.get(run);
    if (text === undefined || binding === undefined) return undefined;
    const context = await contextOf(run);
    const state = await restoreRun(binding, agent, text, context);
    // oxlint-disable-next-line no-underscore-dangle -- the SDK has no other name for it
    const atStep = binding.runs.atStep(state._context);
    const { approvals } = await binding.enter(context);
    const waiting = await Promise.all(
      // The run has asked it already; this finds the record.
      state.getInterruptions().map(async (item) => ({ item, question: await approvals?.ask(atStep, callOf(item)) })),
    );
    return { state, approvals, waiting };
  };
  const one = async (run: string): Promise<readonly RunQuestion[]> =>
    ((await open(run))?.waiting ?? []).flatMap(({ question }) => (question === undefined ? [] : [{ run, question }]));
  return {
    one,
    list: async () => (await Promise.all([...(await runs.keys())].map(one))).flat(),
    async answer(run, id, answer, by) {
      const opened = await open(run);
      const found = opened?.waiting.find(({ question }) => question?.id === id);
      if (opened === undefined || found === undefined) return undefined;
      const { state, approvals } = opened;
      if ((await approvals?.answer(id, answer, by)) === true) state.approve(found.item);
      else state.reject(found.item);
      return state;
    },
  };
}

function callOf({ name = '', arguments: text, rawItem }: RunToolApprovalItem): { tool: string; input: unknown; id: string | undefined } {
  return { tool: name, input: inputOf(text ?? ''), id: 'callId' in rawItem ? rawItem.callId : undefined };
}
