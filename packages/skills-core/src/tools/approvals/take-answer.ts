import { isJsonObject, type JsonObject } from '../../contract/json-object.ts';
import type { SkillAnswer, SkillQuestion } from '../../policy/approvals/skill-question.ts';
import { activityOf, answerOf, callKey, type OpenedApprovals } from './opened-approvals.ts';
import { remember, widen } from './remembered-answers.ts';
import { grantsIn } from './skill-approval-record.ts';

/** Records an answer of a person. @returns whether the call may be made */
export async function takeAnswer(
  opened: OpenedApprovals,
  question: SkillQuestion,
  given: SkillAnswer,
  callId: string | undefined,
): Promise<boolean> {
  const { host, records, scope } = opened;
  const { answer, question: named, by } = isJsonObject(given) ? given : ({} as JsonObject);
  if (named !== question.id || answer === 'no') return false;
  const grants = 'grants' in given && given.grants !== undefined ? grantsIn({ grants: given.grants }) : question.grants;
  if (answer === 'never') {
    if (question.kind === 'load') await remember(opened, question, { grants: [], never: true, by });
    return false;
  }
  if (answer !== 'once' && answer !== 'conversation' && answer !== 'content') return false;
  const isRemembered = answer === 'content' && question.canRemember;
  const lasts = answer === 'once' || question.kind === 'read' ? 'once' : 'conversation';
  if (question.kind === 'load' && isRemembered) await remember(opened, question, { grants, never: false, by });
  // Loads and reads take the answer when made; calls of the host are made by the asker.
  else if (question.kind !== 'call')
    await records.set(callKey('answered', scope, callId), { question: question.id, answer: lasts, grants });
  if (question.kind === 'call' && lasts === 'conversation') await widen(opened, question, grants, isRemembered);
  const said = isRemembered || answer !== 'content' ? answer : lasts;
  for (const skill of question.skills)
    host.emit({ type: 'skill_approval_given', question: question.id, answer: said, ...activityOf(skill, grants) });
  return true;
}

/** Remembers that a framework asks a person about a call. */
export async function expectAnswer({ records, scope }: OpenedApprovals, { id }: SkillQuestion, callId: string | undefined): Promise<void> {
  // A framework may ask again after the yes. What the person saw is what was asked first.
  const key = callKey('expected', scope, callId);
  if (typeof (await records.get(key))?.['question'] !== 'string') await records.set(key, { question: id });
}

/** Whether a framework asked exactly this about this call. It counts as `once`, one time. */
export async function confirmAnswer(opened: OpenedApprovals, question: SkillQuestion, callId: string | undefined): Promise<boolean> {
  if (await answerOf(opened, question, callId)) return true;
  const { records, scope } = opened;
  const key = callKey('expected', scope, callId);
  const expected = await records.get(key);
  if (expected === undefined) return false;
  await records.delete(key);
  if (expected['question'] !== question.id) return false;
  return await takeAnswer(opened, question, { question: question.id, answer: 'once' }, callId);
}
