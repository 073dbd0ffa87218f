import { isJsonObject } from '../contract/json-object.ts';
import { emptySkillState, type LoadedSkill, type SkillState } from './skill-state.ts';

/**
 * Reads a state that somebody else may have written: a client, a checkpoint, a row of a database. Entries that are no loaded skills are left
 * out, and what is no state at all counts as an empty one. The result is still a claim; see `skillStateSeal` for one that is not.
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
  return { loaded: Object.fromEntries(Object.entries(loaded).filter(isLoadedEntry)) };
}

function isLoadedEntry(entry: [string, unknown]): entry is [string, LoadedSkill] {
  const [, value] = entry;
  if (!isJsonObject(value)) return false;
  const { version, revision, fingerprint, sequence, inContext } = value;
  return (
    (version === null || typeof version === 'string') &&
    typeof revision === 'string' &&
    typeof fingerprint === 'string' &&
    typeof sequence === 'number' &&
    typeof inContext === 'boolean' &&
    (value['arguments'] === undefined || typeof value['arguments'] === 'string') &&
    (value['at'] === undefined || typeof value['at'] === 'number')
  );
}
