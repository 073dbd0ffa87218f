import { messageOf } from '@repertoire/skills-core/internal';
import { isTrusted, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import type { SkillSearchRequest } from '@repertoire/skills-core/provider';
import { tagsOf } from '../text/skill-text.ts';
import { searchDiagnostic } from './search-diagnostic.ts';

/** Whether a request may find a skill. If the filter throws, the skill is hidden. */
export function acceptsSkill(
  { filter = {}, audience = 'model' }: SkillSearchRequest,
  diagnostics: SkillDiagnostic[],
): (skill: SkillMetadata) => boolean {
  const { sources, tags, trusted, where } = filter;
  const wantedTags = tags === undefined ? undefined : new Set(tags.map((tag) => tag.toLowerCase()));
  return (skill) => {
    if (audience === 'model' && skill.disableModelInvocation === true) return false;
    if (audience === 'person' && skill.userInvocable === false) return false;
    if (sources !== undefined && !sources.includes(skill.origin?.label ?? '')) return false;
    if (trusted !== undefined && isTrusted(skill) !== trusted) return false;
    if (wantedTags !== undefined && !tagsOf(skill).some((tag) => wantedTags.has(tag.toLowerCase()))) return false;
    if (where === undefined) return true;
    try {
      return where(skill) === true;
    } catch (error) {
      const why = messageOf(error);
      diagnostics.push({
        ...searchDiagnostic('search-filter-failed', `The filter failed on skill "${skill.name}": ${why}`),
        skill: skill.name,
      });
      return false;
    }
  };
}
