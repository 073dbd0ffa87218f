import type { SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import { nearNames } from '../../contract/near-names.ts';

/** Pinned skills that a session lacks. Code: `pinned-not-listed` (warning). */
export function pinnedDiagnostics(pinned: readonly string[], skills: readonly SkillMetadata[]): readonly SkillDiagnostic[] {
  if (pinned.length === 0) return [];
  const names = new Set(skills.map(({ name }) => name));
  return pinned.flatMap((name) => {
    if (names.has(name)) return [];
    const [near] = nearNames(name, [...names]);
    const diagnostic: SkillDiagnostic = {
      code: 'pinned-not-listed',
      severity: 'warning',
      message: `The pinned skill ${JSON.stringify(name)} is not among the skills that the model sees.`,
      fix:
        near === undefined
          ? 'Correct `pinned` of skillDiscovery, or look at `select`, `permissions` and the skill itself.'
          : `Did you mean ${JSON.stringify(near)}? Otherwise look at \`select\`, \`permissions\` and the skill itself.`,
    };
    return [diagnostic];
  });
}
