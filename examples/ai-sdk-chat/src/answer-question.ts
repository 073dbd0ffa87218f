import type { SkillAnswer, SkillQuestion } from '@repertoire/skills-core';
import { convertToModelMessages } from 'ai';
import type { ChatRequest } from './answer-chat.ts';
import { openConversation, type ChatHost } from './open-conversation.ts';

/** What a person said on a card, and which call the card was about. */
export interface AnswerRequest extends ChatRequest {
  readonly call: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown };
  /** It names the question that the person saw. */
  readonly answer: SkillAnswer;
}

/** Whether the call may be made now, and the question, if it is another one by now. */
export interface AnswerResult {
  readonly runs: boolean;
  readonly again?: SkillQuestion | undefined;
}

/**
 * Records what a person answered. The question is made anew from the skill as it is now: an answer
 * to another question counts for nothing, so the page asks again.
 */
export async function answerQuestion({ id, messages, call, answer }: AnswerRequest, host: ChatHost): Promise<AnswerResult> {
  const { skills } = await openConversation(id, host);
  const question = await skills.question(
    call,
    await convertToModelMessages(messages, { tools: skills.tools, ignoreIncompleteToolCalls: true }),
  );
  // Answered meanwhile, with another call. A no stays a no.
  if (question === undefined) return { runs: answer.answer !== 'no' && answer.answer !== 'never' };
  if (question.id !== answer.question) return { runs: false, again: question };
  // In a real application, `by` is whoever is signed in.
  return { runs: (await skills.session.approvals?.answer(question, { ...answer, by: 'the visitor' }, call.toolCallId)) === true };
}
