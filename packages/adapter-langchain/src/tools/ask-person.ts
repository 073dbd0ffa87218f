import { interrupt } from '@langchain/langgraph';
import type { SkillQuestion, SkillSession } from '@repertoire/skills-core';

/** How often one call is asked about: each time what was asked about has changed meanwhile. */
const maxQuestions = 10;

/**
 * Interrupts the graph with a question and records the answer that it is resumed with:
 * `{ question: question.id, answer: 'once' }`. The graph runs the node again from its start, with
 * what its source has by then. An answer to another question, which was asked before a change, asks
 * again. What names no question is a no.
 *
 * @returns whether a person said yes to exactly this
 */
export async function askPerson(
  { approvals }: Pick<SkillSession, 'approvals'>,
  question: SkillQuestion,
  callId: string | undefined,
): Promise<boolean> {
  for (let asked = 0; asked < maxQuestions; asked += 1) {
    const said = interrupt<SkillQuestion, unknown>(question);
    if (typeof said !== 'object' || said === null || !('question' in said) || typeof said.question !== 'string') return false;
    if (said.question === question.id) return (await approvals?.answer(question, said as never, callId)) === true;
  }
  return false;
}
