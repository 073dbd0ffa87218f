import type { JsonObject } from '../../contract/json-object.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { allGrants, type SkillGrant } from '../../policy/approvals/skill-grants.ts';
import { withQuestion, type AskedSkill, type SkillQuestion } from '../../policy/approvals/skill-question.ts';
import type { SkillApprovalActivity } from '../../events/skill-activity.ts';
import { approvalTexts } from '../../prompt/approval-texts.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import type { ApprovalRecords } from './approval-store.ts';
import type { ApprovalHost } from './session-approvals.ts';

/** What the approvals of one session are made of. */
export interface OpenedApprovals {
  readonly host: ApprovalHost;
  readonly records: ApprovalRecords;
  readonly scope: string;
  readonly hasCodeTools: boolean;
  /** What each question was asked for, to keep the answer there. */
  readonly asked: WeakMap<SkillQuestion, Asked>;
  /** Questions that were told as activity, with their calls. */
  readonly told: Set<string>;
  isCodeTool(tool: string): boolean;
  needed(skill: SkillMetadata): readonly SkillGrant[];
  readonly signerOf: ((skill: Skill) => string | undefined | Promise<string | undefined>) | undefined;
  now(): Date;
}

interface Asked {
  /** The skill to load, to remember an answer for it. */
  readonly skill?: Skill | undefined;
  /** The records that the loads of its skills rest on. */
  readonly loads: readonly string[];
}

/** Asks a question about a call, and tells of it once. */
export function ask(opened: OpenedApprovals, question: SkillQuestion, callId: string | undefined, more: Asked): SkillQuestion {
  opened.asked.set(question, more);
  const key = JSON.stringify([question.id, callId]);
  if (opened.told.has(key)) return question;
  opened.told.add(key);
  const { id, kind } = question;
  for (const skill of question.skills)
    opened.host.emit({ type: 'skill_approval_requested', question: id, kind, ...activityOf(skill, question.grants) });
  return question;
}

/** The answer to this question for this call, which the call uses up. */
export async function answerOf(
  { records, scope }: OpenedApprovals,
  question: SkillQuestion,
  callId: string | undefined,
): Promise<JsonObject | undefined> {
  const key = callKey('answered', scope, callId);
  const record = await records.get(key);
  if (record?.['question'] === question.id) return record;
  // An answer to something else must not wait for a call of the same id.
  if (record !== undefined) await records.delete(key);
  return undefined;
}

/** Key of the record about one call. */
export function callKey(kind: 'answered' | 'expected', scope: string, callId: string | undefined): string {
  return `call-${hashText(JSON.stringify([kind, scope, callId ?? null]))}`;
}

export function asError(question: SkillQuestion): SkillError {
  const names = question.skills.map(({ name }) => name);
  return withQuestion(new SkillError('needs-approval', approvalTexts.needed(question.tool, names), { skill: names.at(-1) }), question);
}

export function activityOf({ name, version, source, trusted, content }: AskedSkill, grants: readonly SkillGrant[]): SkillApprovalActivity {
  return { skill: name, version, source, trusted, content, grants: allGrants.filter((grant) => grants.includes(grant)) };
}
