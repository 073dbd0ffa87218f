import { SkillError, type Skill, type SkillProvider } from '@repertoire/skills-core';
import {
  approvalKey,
  contentOfSkill,
  filesSince,
  grantsIn,
  identityKey,
  identityOptions,
  skillKey,
  isAbout,
  isJsonObject,
  type JsonObject,
} from '@repertoire/skills-core/internal';
import type { ApprovalsView, ApprovalView } from './views.ts';

/** The approvals of the host: those that `skillApprovals` of the application keeps. */
export interface InspectedApprovals {
  /** Every answer by its key, as JSON text or parsed. `fileApprovalStore` has it. */
  list(): ReadonlyMap<string, unknown> | Promise<ReadonlyMap<string, unknown>>;
}

const most = 2_000;
const mostCharacters = 500;
/** An approval that a change ended is kept under this name, to tell later what changed. */
const ended = 'last-';

/** What people approved, and whether it counts for the skills as they are now. */
export async function readApprovals(
  store: InspectedApprovals,
  provider: SkillProvider,
  skills: readonly Skill[],
  signal?: AbortSignal,
): Promise<ApprovalsView> {
  const answers = await store.list();
  const records = [...answers].flatMap(([key, value]) => {
    const of = key.startsWith(ended) ? key.slice(ended.length) : key;
    const isShown = of.startsWith('skill-') && (of === key || !answers.has(of));
    const record = isShown ? parsed(value) : undefined;
    // A load that was approved once leaves what it was, and no approval.
    return record?.['kind'] !== 'skill' ? [] : [{ key: of, isEnded: of !== key, record }];
  });
  const known = new Map(skills.map((skill) => [skillKey(skill), skill]));
  const approvals: ApprovalView[] = [];
  for (const { key, isEnded, record } of records.slice(0, most)) {
    signal?.throwIfAborted();
    approvals.push({ ...fieldsOf(record), ...(await standingOf(record, key, isEnded)) });
  }
  const name = ({ skill, source, scope }: ApprovalView) => `${skill}\0${source}\0${scope}`;
  return { approvals: approvals.sort((a, b) => (name(a) < name(b) ? -1 : 1)), left: Math.max(0, records.length - most) };

  async function standingOf(record: JsonObject, key: string, isEnded: boolean): Promise<Pick<ApprovalView, 'standing' | 'changes'>> {
    const { skill: named, source, place, version, scope } = fieldsOf(record);
    const origin = { kind: '', label: source, place, trusted: false };
    if (approvalKey(scope, { name: named, version, origin }) !== key) return { standing: 'damaged', changes: null };
    const listed = known.get(identityKey({ source, place }, version));
    if (listed === undefined) return { standing: 'absent', changes: null };
    // As it is now: files can change without a change of what was listed.
    const skill = await provider.getSkill(listed.name, { ...identityOptions(listed), signal }).catch(unreadable);
    const content = skill === null ? null : await contentOfSkill(provider, skill, { signal }).catch(unreadable);
    if (skill === null || content === null) return { standing: 'unknown', changes: null };
    if (!isEnded && isAbout(record, skill, content)) return { standing: 'stands', changes: null };
    return { standing: 'changed', changes: filesSince(isJsonObject(record['files']) ? record['files'] : {}, skill.resources) };
  }
}

function unreadable(error: unknown): null {
  if (SkillError.isInstance(error)) return null;
  throw error;
}

function parsed(value: unknown): JsonObject | undefined {
  try {
    const record: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return isJsonObject(record) ? record : undefined;
  } catch {
    // The host takes such a record for none, too.
    return undefined;
  }
}

function fieldsOf(record: JsonObject): Omit<ApprovalView, 'standing' | 'changes'> {
  const word = (field: string): string => {
    const value = record[field];
    return typeof value === 'string' ? value.slice(0, mostCharacters) : '';
  };
  const isNever = record['never'] === true;
  return {
    skill: word('name'),
    source: word('source'),
    place: word('place'),
    version: typeof record['version'] === 'string' ? word('version') : null,
    scope: word('scope'),
    content: word('content'),
    grants: isNever ? [] : grantsIn(record),
    never: isNever,
    at: word('at'),
    by: word('by') === '' ? null : word('by'),
  };
}
