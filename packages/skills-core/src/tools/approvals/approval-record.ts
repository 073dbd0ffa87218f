import type { JsonObject } from '../../contract/json-object.ts';
import { identityOfSkill } from '../../contract/skill-identity.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import { allGrants, type SkillGrant } from '../../policy/approvals/skill-grants.ts';
import { canonicalJson } from '../../providers/digest/canonical-json.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import { levelOneHash } from '../../state/revision.ts';
import { digestsByPath } from '../files-since.ts';

/** A remembered answer about one skill, for one scope. */
export interface SkillApprovalRecord {
  readonly kind: 'skill';
  readonly scope: string;
  readonly source: string;
  readonly place: string;
  readonly version: string | null;
  readonly name: string;
  /** Empty for an unpinned skill. */
  readonly content: string;
  /** Hash of level 1, which a source may tell apart from the files. */
  readonly level: string;
  /** Empty for a person who said never. */
  readonly grants: readonly SkillGrant[];
  /** Holds for every content, until it is revoked. */
  readonly never?: true | undefined;
  /** When, in ISO 8601. */
  readonly at: string;
  /** Who, as the host names people. @default not told */
  readonly by?: string | undefined;
  /** Digests of the files, to tell later what changed. */
  readonly files: Readonly<Record<string, string>>;
}

/** Key of the record of a skill. The version is part of the identity. */
export function approvalKey(scope: string, skill: Pick<SkillMetadata, 'name' | 'origin' | 'version'>): string {
  const { source, place } = identityOfSkill(skill);
  return identityApprovalKey(scope, { source, place, version: skill.version });
}

export function identityApprovalKey(
  scope: string,
  { source, place, version }: Pick<SkillApprovalRecord, 'source' | 'place' | 'version'>,
): string {
  return `skill-${hashText(canonicalJson([scope, source, place, version]))}`;
}

/** The record of an answer about a skill that was read. */
export function approvalRecord(
  scope: string,
  skill: Skill,
  content: string,
  answer: Pick<SkillApprovalRecord, 'grants' | 'at' | 'by' | 'never'>,
): SkillApprovalRecord {
  const files = digestsByPath(skill.resources.slice(0, 1_000));
  const { version, name } = skill;
  return { kind: 'skill', scope, ...identityOfSkill(skill), version, name, content, level: levelOneHash(skill), ...answer, files };
}

/** Whether a record is an answer about exactly this content, or a never. */
export function isAbout(record: JsonObject, skill: SkillMetadata, content: string | null | undefined): boolean {
  return record['never'] === true || (record['content'] === content && record['level'] === levelOneHash(skill));
}

/** Grants of a record, whatever else stands there. */
export function grantsIn({ grants }: JsonObject): readonly SkillGrant[] {
  return Array.isArray(grants) ? allGrants.filter((grant) => grants.includes(grant)) : [];
}
