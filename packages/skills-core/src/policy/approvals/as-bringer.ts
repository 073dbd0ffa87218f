import { isTrusted } from '../../contract/is-trusted.ts';
import type { SkillMetadata } from '../../contract/skill-provider.ts';
import type { SkillGrants } from './skill-grants.ts';

/**
 * A skill as those see it who open what it brings. Without the grant it brings nothing. An
 * untrusted skill with the grant brings its servers as a trusted one does, but no code that would
 * run in the host's own process.
 */
export function asBringer<Known extends SkillMetadata>(skill: Known, grants: SkillGrants): Known {
  const isGranted = grants.has('mcp-servers');
  if (isGranted && isTrusted(skill)) return skill;
  if (!isGranted && !isTrusted(skill)) return skill;
  const { mcps, local_tools: _code, ...fields } = skill.fields ?? {};
  if (!isGranted) return { ...skill, fields };
  const origin = skill.origin && { ...skill.origin, trusted: true };
  return { ...skill, fields: { ...fields, ...(mcps !== undefined && { mcps }) }, ...(origin !== undefined && { origin }) };
}
