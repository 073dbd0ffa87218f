import { interrupt, isGraphBubbleUp } from '@langchain/langgraph';
import type { SkillAnswer, SkillError, SkillQuestion, SkillSession } from '@repertoire/skills-core';
import type { SkillCallVerdict } from '@repertoire/skills-core/adapter';
import { settleCall, unknownQuestion } from '@repertoire/skills-core/adapter';

/** How often one call is asked about: each time what was asked about has changed meanwhile. */
const maxQuestions = 10;

/** What a graph that was interrupted with a question is resumed with. */
interface Resumed extends SkillAnswer {
  readonly question: string;
  /** Who answered, as the host names people. */
  readonly by?: string;
}

/** A call that somebody must be asked about. */
export interface CallToAsk extends Omit<Parameters<typeof settleCall>[2], 'isYes'> {
  readonly verdict: Pick<Extract<SkillCallVerdict, { readonly decision: 'needs-approval' }>, 'question' | 'error'>;
  /** Records the question. @default `approvals.ask` */
  readonly ask?: (() => Promise<unknown>) | undefined;
}

/**
 * Interrupts the graph with a question, and carries out what it is resumed with: `{ question:
 * question.id, answer: 'once' }`. The graph runs the node again from its start, with what its
 * source has by then. An answer to another question, which was asked before a change, asks again.
 * What names no question is a no, and so is a yes whose question is not recorded: of two processes
 * that resume at once, one makes the call. What staff answers interrupts nothing.
 *
 * @returns why the call is refused; `null` if it may be made
 */
export async function askPerson({ approvals }: Pick<SkillSession, 'approvals'>, asked: CallToAsk): Promise<SkillError | null> {
  const { verdict, state, call, isSkillTool, ask = () => approvals?.ask(state, call) } = asked;
  const { question, error } = verdict;
  if (approvals === undefined) return error;
  if (question.whom === 'staff')
    return await settleCall(approvals, { decision: 'needs-approval', because: error.message, ...verdict }, { ...asked, isYes: false });
  for (let round = 0; round < maxQuestions; round += 1) {
    const said = await resumedWith(question, ask);
    if (said === undefined) return error;
    if (said.question !== question.id) continue;
    const { answer, grants, by } = said;
    if (answer === 'no' || answer === 'never') {
      await approvals.answer(question.id, { answer }, by);
      return error;
    }
    if (!(await approvals.answer(question.id, { answer, grants }, by))) return unknownQuestion();
    return isSkillTool || (await approvals.take(question.id)) ? null : unknownQuestion();
  }
  return error;
}

/** The answer, if there is one: only where there is none yet is anybody asked. */
async function resumedWith(question: SkillQuestion, ask: () => Promise<unknown> | undefined): Promise<Resumed | undefined> {
  try {
    const said = interrupt<SkillQuestion, unknown>(question);
    const isAnswer = typeof said === 'object' && said !== null && 'question' in said && typeof said.question === 'string';
    return isAnswer ? (said as Resumed) : undefined;
  } catch (thrown) {
    if (isGraphBubbleUp(thrown)) await ask();
    throw thrown;
  }
}
