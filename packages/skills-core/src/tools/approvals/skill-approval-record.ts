import type { JsonObject } from '../../contract/json-object.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import { allGrants, type SkillGrant } from '../../policy/approvals/skill-grants.ts';
import { canonicalJson } from '../../providers/digest/canonical-json.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import { identityOfSkill } from '../../contract/skill-identity.ts';
import { levelOneHash } from '../../state/revision.ts';

/** A remembered answer: one content of one skill, for one scope. */
export interface SkillApprovalRecord {
  readonly kind: 'skill';
  readonly scope: string;
  readonly source: string;
  readonly place: string;
  readonly version: string | null;
  readonly name: string;
  readonly content: string;
  /** Hash of level 1, which a source may tell apart from the files. */
  readonly level: string;
  /** Empty for a person who said never. */
  readonly grants: readonly SkillGrant[];
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
  return `skill-${hashText(canonicalJson([scope, source, place, skill.version]))}`;
}

/** The record of an answer about a skill that was read. */
export function approvalRecord(
  scope: string,
  skill: Skill,
  content: string,
  answer: Pick<SkillApprovalRecord, 'grants' | 'at' | 'by' | 'never'>,
): SkillApprovalRecord {
  return {
    kind: 'skill',
    scope,
    ...identityOfSkill(skill),
    version: skill.version,
    name: skill.name,
    content,
    level: levelOneHash(skill),
    ...answer,
    files: Object.fromEntries(skill.resources.slice(0, 1_000).map(({ path, digest = '' }) => [path, digest])),
  };
}

/** Whether a record is an answer about exactly this content. */
export function isAbout(record: JsonObject, skill: SkillMetadata, content: string): boolean {
  return record['content'] === content && record['level'] === levelOneHash(skill);
}

/** Grants of a record, whatever else stands there. */
export function grantsIn({ grants }: JsonObject): readonly SkillGrant[] {
  return Array.isArray(grants) ? allGrants.filter((grant) => grants.includes(grant)) : [];
}
