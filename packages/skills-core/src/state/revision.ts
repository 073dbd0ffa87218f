import type { SkillMetadata } from '../contract/skill-provider.ts';
import { canonicalJson } from '../providers/digest/canonical-json.ts';
import { fingerprint } from './fingerprint.ts';

const known = new WeakMap<SkillMetadata, string>();

/**
 * A short fingerprint of level 1 and of the source of a skill, as listed. It stands in the text of a loaded skill and in the state, so that
 * a skill of the same name from another source, or one whose tools changed since, is not mistaken for the one that was loaded.
 */
export function revisionOf(skill: SkillMetadata): string {
  const remembered = known.get(skill);
  if (remembered !== undefined) return remembered;
  const { origin, ...metadata } = skill;
  const revision = fingerprint(canonicalJson([origin?.kind, origin?.label, metadata])).slice(0, 8);
  if (Object.isFrozen(skill)) known.set(skill, revision);
  return revision;
}
