import { isTrusted } from '../../contract/is-trusted.ts';
import type { SkillMetadata } from '../../contract/skill-provider.ts';

/**
 * What a skill may do once it is loaded. `load`: its instructions and files are shown to a model.
 * `tools`: it opens the gates of tools that it names. `allowed-tools`: it pre-approves or restricts
 * calls. `scripts`, `snippets`: its files and the commands in its body run. `code-tools`: tools of
 * the host that execute code are called without asking while it stands in the context. `model`: it
 * chooses a model. `mcp-servers`: its servers are connected.
 */
export type SkillGrant = 'load' | 'tools' | 'allowed-tools' | 'scripts' | 'snippets' | 'code-tools' | 'model' | 'mcp-servers';

/** Grants that one content of one skill has here. */
export type SkillGrants = ReadonlySet<SkillGrant>;

/** Every grant. */
export const allGrants: readonly SkillGrant[] = [
  'load',
  'tools',
  'allowed-tools',
  'scripts',
  'snippets',
  'code-tools',
  'model',
  'mcp-servers',
];

const trusted: SkillGrants = new Set(allGrants);
const untrusted: SkillGrants = new Set(['load', 'code-tools']);

/** Grants without a person: all for a trusted skill, reading for any other. */
export function grantsByTrust(skill: SkillMetadata): SkillGrants {
  return isTrusted(skill) ? trusted : untrusted;
}

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
