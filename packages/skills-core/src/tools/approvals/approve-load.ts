import type { JsonObject } from '../../contract/json-object.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { grantsByTrust, type SkillGrants } from '../../policy/approvals/skill-grants.ts';
import type { SkillQuestion } from '../../policy/approvals/skill-question.ts';
import { approvalTexts } from '../../prompt/approval-texts.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import { revisionOf } from '../../state/revision.ts';
import { loadedSkill } from '../../state/skill-state.ts';
import { answerOf, ask, asError, callKey, type OpenedApprovals } from './opened-approvals.ts';
import { questionOfLoad } from './question-of-load.ts';
import { changesOf, granted, remembered, restsOn } from './remembered-answers.ts';
import type { ApprovalOfLoad, ApprovedLoad } from './session-approvals.ts';
import { approvalKey, approvalRecord, grantsIn } from './skill-approval-record.ts';
import { whatItAsks } from './what-it-asks.ts';

const isLoadable = (grants: SkillGrants): boolean => grants.has('load');

/** Judges a load by what was answered before, or asks. */
export async function approveLoad(opened: OpenedApprovals, request: ApprovalOfLoad): Promise<ApprovedLoad> {
  const { skill, content, state, callId, onlyAsk = false } = request;
  const needs = opened.needed(skill);
  if (needs.length === 0) return { grants: grantsByTrust(skill) };
  const loaded = loadedSkill(state, skill.name);
  const asks = whatItAsks(skill);
  const wanted = asks.map(({ grant }) => grant).filter((grant) => needs.includes(grant) && (content !== null || grant === 'load'));
  if (wanted.length === 0) return { grants: granted(opened, skill, content, []) };
  const refused = (): SkillError => new SkillError('permission-denied', approvalTexts.refused(skill.name), { skill: skill.name });
  const record = await remembered(opened, skill, content);
  if (record?.['never'] === true) throw refused();
  const byRecord = granted(opened, skill, content, [record]);
  if (record !== undefined && isLoadable(byRecord)) return { grants: byRecord };
  const standing = await restsOn(opened, skill, content, loaded);
  if (standing !== undefined && standing['once'] !== true)
    return { grants: granted(opened, skill, content, [record, standing]), approval: loaded?.approval };

  const question = await questionFor(opened, request, { asks, grants: wanted, isAskedFirst: record === undefined });
  const answer = await answerOf(opened, question, callId);
  if (answer === undefined) throw asError(ask(opened, question, callId, { skill, loads: [] }));
  const grants = granted(opened, skill, content, [answer]);
  if (!isLoadable(grants)) throw refused();
  return onlyAsk ? { grants } : { grants, approval: await keepLoad(opened, request, question, answer) };
}

async function questionFor(
  opened: OpenedApprovals,
  { skill, content, arguments: given, signal }: ApprovalOfLoad,
  { isAskedFirst, ...parts }: Pick<Parameters<typeof questionOfLoad>[0], 'asks' | 'grants'> & { readonly isAskedFirst: boolean },
): Promise<SkillQuestion> {
  const changes = isAskedFirst ? await changesOf(opened, skill, content) : undefined;
  const signer = await opened.signerOf?.(skill);
  signal?.throwIfAborted();
  const input = { name: skill.name, ...(given !== undefined && { arguments: given }) };
  return questionOfLoad({ scope: opened.scope, tool: opened.host.names.load, input, skill, content, signer, changes, ...parts });
}

/** Keeps the answer as the record that the load rests on. @returns the name of the record */
async function keepLoad(
  { records, scope, now }: OpenedApprovals,
  { skill, content, callId }: ApprovalOfLoad,
  question: SkillQuestion,
  answer: JsonObject,
): Promise<string> {
  const approval = `load-${hashText(JSON.stringify([question.id, callId, ...crypto.getRandomValues(new Uint8Array(16))]))}`;
  const once = answer['answer'] === 'once';
  const revision = revisionOf(skill, content);
  await records.set(approval, { kind: 'load', scope, revision, grants: grantsIn(answer), ...(once && { once }) });
  if (content !== null) {
    // What was loaded so counts for nothing later; the next question tells what changed since.
    const seen = approvalRecord(scope, skill, content, { grants: grantsIn(answer), at: now().toISOString() });
    await records.set(`last-${approvalKey(scope, skill)}`, { ...seen, kind: 'seen', revision });
  }
  await records.delete(callKey('answered', scope, callId));
  return approval;
}
