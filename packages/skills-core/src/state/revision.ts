import type { SkillMetadata } from '../contract/skill-provider.ts';
import { fingerprint } from './fingerprint.ts';

const known = new WeakMap<SkillMetadata, string>();

/**
 * A short fingerprint of what makes a skill this skill, as listed: its source's label, name, version and description, and everything that it
 * asks for (tools, allowed tools, model, context, servers and local tools that it brings). It stands in the text of a loaded skill and in the state, so that a skill of the same name
 * from another source, or one that asks for more since, is not mistaken for the one that was loaded. A changed body does not change it.
 *
 * @example
 * ```ts
 * import type { SkillMetadata } from '@repertoire/skills-core';
 * import { revisionOf } from '@repertoire/skills-core/adapter';
 *
 * export const isSameSkill = (before: SkillMetadata, now: SkillMetadata): boolean => revisionOf(before) === revisionOf(now);
 * ```
 */
export function revisionOf(skill: SkillMetadata): string {
  const remembered = known.get(skill);
  if (remembered !== undefined) return remembered;
  const { origin, name, version, description, tools, allowedTools, autoActivate, model, context, fields } = skill;
  const identity = [
    origin?.label,
    name,
    version,
    description,
    tools,
    allowedTools,
    autoActivate,
    model,
    context,
    fields?.['mcps'],
    fields?.['local_tools'],
  ];
  const revision = fingerprint(JSON.stringify(identity)).slice(0, 8);
  if (Object.isFrozen(skill)) known.set(skill, revision);
  return revision;
}
