import { isJsonObject, type JsonObject } from '../../contract/json-object.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import { grantsByTrust, type SkillGrant, type SkillGrants } from '../../policy/approvals/skill-grants.ts';
import type { AskedChanges, SkillQuestion } from '../../policy/approvals/skill-question.ts';
import { revisionOf } from '../../state/revision.ts';
import type { LoadedSkill } from '../../state/skill-state.ts';
import { filesSince } from './files-since.ts';
import { lineDiff } from './line-diff.ts';
import { activityOf, type OpenedApprovals } from './opened-approvals.ts';
import { askedSkill } from './question-of-load.ts';
import { approvalKey, approvalRecord, grantsIn, isAbout } from './skill-approval-record.ts';

type Content = string | null | undefined;

const maxByCharacters = 200;

/** The remembered answer for exactly this content. */
export async function remembered(
  { records, scope }: OpenedApprovals,
  skill: SkillMetadata,
  content: Content,
): Promise<JsonObject | undefined> {
  if (typeof content !== 'string') return undefined;
  const record = await records.get(approvalKey(scope, skill));
  return record !== undefined && isAbout(record, skill, content) ? record : undefined;
}

/** The answer that a load rests on. A state only names it, so nobody can claim one. */
export async function restsOn(
  { records, scope }: OpenedApprovals,
  skill: SkillMetadata,
  content: Content,
  loaded: LoadedSkill | undefined,
): Promise<JsonObject | undefined> {
  if (loaded?.approval === undefined || content === undefined) return undefined;
  const record = await records.get(loaded.approval);
  const isThis = record?.['kind'] === 'load' && record['scope'] === scope && record['revision'] === revisionOf(skill, content);
  return isThis ? record : undefined;
}

/** What the answers allow, and what needs none. */
export function granted(
  { needed }: OpenedApprovals,
  skill: SkillMetadata,
  content: Content,
  answers: readonly (JsonObject | undefined)[],
): SkillGrants {
  const needs = needed(skill);
  const free = [...grantsByTrust(skill)].filter((grant) => !needs.includes(grant));
  const given = answers.flatMap((answer) => (answer === undefined ? [] : grantsIn(answer))).filter((grant) => needs.includes(grant));
  // Nobody can say what the files of an open skill will be.
  return new Set([...free, ...(content === null ? given.filter((grant) => grant === 'load') : given)]);
}

/** What is allowed to one content, without a question. */
export async function grantsOf(
  opened: OpenedApprovals,
  skill: SkillMetadata,
  content: Content,
  loaded?: LoadedSkill,
): Promise<SkillGrants> {
  if (opened.needed(skill).length === 0) return grantsByTrust(skill);
  const record = await remembered(opened, skill, content);
  if (record?.['never'] === true) return new Set();
  return granted(opened, skill, content, [record, await restsOn(opened, skill, content, loaded)]);
}

/** What differs from the last approval. A record of another content ends here. */
export async function changesOf(
  { host, records, scope }: OpenedApprovals,
  skill: Skill,
  content: string | null,
): Promise<AskedChanges | undefined> {
  const key = approvalKey(scope, skill);
  const record = await records.get(key);
  if (record !== undefined) {
    await records.set(`last-${key}`, record);
    await records.delete(key);
    host.emit({ type: 'skill_approval_revoked', reason: 'changed', ...activityOf(askedSkill(skill, content), grantsIn(record)) });
  }
  const last = record ?? (await records.get(`last-${key}`));
  const { kind, content: since, at, files, revision } = last ?? {};
  if (typeof since !== 'string' || typeof at !== 'string' || !isJsonObject(files)) return undefined;
  if (kind === 'seen' && since === content) return undefined;
  const before = typeof revision === 'string' ? await host.contents.get(revision) : undefined;
  return {
    since,
    at,
    ...filesSince(files, skill.resources),
    diff: before === undefined ? null : lineDiff(before.body, skill.body),
  };
}

/** Remembers an answer about a load for its content. */
export async function remember(
  { host, records, scope, asked, now }: OpenedApprovals,
  question: SkillQuestion,
  { grants, never, by }: { readonly grants: readonly SkillGrant[]; readonly never: boolean; readonly by: unknown },
): Promise<void> {
  const skill = asked.get(question)?.skill;
  const [one] = question.skills;
  if (skill === undefined || typeof one?.content !== 'string') return;
  const record = approvalRecord(scope, skill, one.content, {
    grants: never ? [] : grants,
    at: now().toISOString(),
    ...(never && { never }),
    ...(typeof by === 'string' && { by: by.slice(0, maxByCharacters) }),
  });
  await records.set(approvalKey(scope, skill), { ...record, revision: revisionOf(skill, one.content) });
  if (never) host.emit({ type: 'skill_approval_revoked', reason: 'never', ...activityOf(one, []) });
}

/**
 * Adds grants to the answers that a question about a call is about: of loads, and of contents where
 * it is remembered.
 */
export async function widen(
  { records, scope, asked }: OpenedApprovals,
  question: SkillQuestion,
  more: readonly SkillGrant[],
  isRemembered: boolean,
): Promise<void> {
  const add = async (key: string, isThis: (record: JsonObject) => boolean): Promise<void> => {
    const record = await records.get(key);
    if (record === undefined || !isThis(record)) return;
    await records.set(key, { ...record, grants: [...new Set([...grantsIn(record), ...more])] });
  };
  for (const key of asked.get(question)?.loads ?? []) await add(key, ({ kind }) => kind === 'load');
  if (!isRemembered) return;
  for (const { name, version, source, place, content } of question.skills) {
    const origin = { kind: '', label: source, place, trusted: false };
    await add(approvalKey(scope, { name, version, origin }), (record) => record['content'] === content);
  }
}
