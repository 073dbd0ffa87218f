import { isJsonObject } from '../contract/json-object.ts';
import { emptySkillState, type LoadedSkill, type SkillState } from './skill-state.ts';

/** More skills than any conversation has, few enough to look at each. */
const maxLoaded = 1_000;

/** The revision of entries of earlier versions, which open nothing. */
export const olderRevision = '';

/**
 * Reads a state that somebody else may have written: a client, a checkpoint, a row of a database.
 * Entries that are no loaded skills are left out, and so are those after the first thousand; what
 * is no state at all counts as an empty one. An entry of an earlier version counts as loaded and
 * opens nothing until the skill is loaded again. The result is still a claim; see `skillStateSeal`
 * for one that is not.
 *
 * @example
 * ```ts
 * import type { SkillState } from '@repertoire/skills-core';
 * import { parseSkillState } from '@repertoire/skills-core/adapter';
 *
 * export const stateOf = (row: { readonly skills: string }): SkillState => parseSkillState(JSON.parse(row.skills));
 * ```
 */
export function parseSkillState(value: unknown): SkillState {
  const loaded = isJsonObject(value) ? value['loaded'] : undefined;
  if (!isJsonObject(loaded)) return emptySkillState;
  const entries: [string, LoadedSkill][] = [];
  for (const name of Object.keys(loaded)) {
    if (entries.length === maxLoaded) break;
    const entry = entryOf(loaded[name]);
    if (entry !== undefined) entries.push([name, entry]);
  }
  return { loaded: Object.fromEntries(entries) };
}

function entryOf(value: unknown): LoadedSkill | undefined {
  if (!isJsonObject(value) || !isCommon(value)) return undefined;
  if (isPresent(value)) return value as unknown as LoadedSkill;
  if (typeof value['fingerprint'] !== 'string') return undefined;
  const { version, sequence, inContext, untrusted } = value as unknown as LoadedSkill;
  return {
    source: '',
    version,
    revision: olderRevision,
    texts: [],
    ...(typeof value['arguments'] === 'string' && { arguments: value['arguments'] }),
    sequence,
    inContext,
    ...(untrusted === true && { untrusted }),
  };
}

function isCommon({ version, revision, sequence, inContext, ...value }: Readonly<Record<string, unknown>>): boolean {
  return (
    (version === null || typeof version === 'string') &&
    typeof revision === 'string' &&
    typeof sequence === 'number' &&
    typeof inContext === 'boolean' &&
    isOptional(value['arguments'], 'string') &&
    isOptional(value['at'], 'number')
  );
}

function isPresent({ source, place, content, texts, renewals, approval }: Readonly<Record<string, unknown>>): boolean {
  return (
    typeof source === 'string' &&
    isOptional(place, 'string') &&
    (content === null || isOptional(content, 'string')) &&
    Array.isArray(texts) &&
    texts.length <= 8 &&
    texts.every((text) => typeof text === 'string') &&
    isOptional(renewals, 'number') &&
    isOptional(approval, 'string')
  );
}

function isOptional(value: unknown, type: 'string' | 'number'): boolean {
  return value === undefined || typeof value === type;
}
