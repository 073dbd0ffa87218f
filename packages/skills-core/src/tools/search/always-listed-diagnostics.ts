import type { SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import { nearNames } from '../../contract/near-names.ts';

/** Pinned skills that a session lacks. Code: `always-listed-missing` (warning). */
export function alwaysListedDiagnostics(alwaysListed: readonly string[], skills: readonly SkillMetadata[]): readonly SkillDiagnostic[] {
  if (alwaysListed.length === 0) return [];
  const names = new Set(skills.map(({ name }) => name));
  return alwaysListed.flatMap((name) => {
    if (names.has(name)) return [];
    const [near] = nearNames(name, [...names]);
    const diagnostic: SkillDiagnostic = {
      code: 'always-listed-missing',
      severity: 'warning',
      message: `The alwaysListed skill ${JSON.stringify(name)} is not among the skills that the model sees.`,
      fix:
        near === undefined
          ? 'Correct `alwaysListed` of skillDiscovery, or look at `select`, `permissions` and the skill itself.'
          : `Did you mean ${JSON.stringify(near)}? Otherwise look at \`select\`, \`permissions\` and the skill itself.`,
    };
    return [diagnostic];
  });
}
