import { lookOf, visibleName } from '../../contract/look-alike.ts';
import type { SkillDiagnostic } from '../../contract/skill-provider.ts';

/** A listed name and the source that it came from. */
export interface ListedName {
  readonly name: string;
  readonly label: string;
}

/** Reports names that a person or a model takes for one another: those with the same look, see {@link lookOf}. */
export function nearCollisions(listed: readonly ListedName[]): SkillDiagnostic[] {
  const groups = new Map<string, Map<string, string>>();
  for (const { name, label } of listed) {
    const key = lookOf(name);
    const names = groups.get(key) ?? new Map<string, string>();
    groups.set(key, names.set(name, label));
  }
  return [...groups.values()].flatMap((names) => {
    const [first, ...others] = names;
    if (first === undefined) return [];
    return others.map(([name, label]) => ({
      code: 'skill-near-collision',
      severity: 'warning' as const,
      skill: name,
      message: `${visibleName(name)} of "${label}" is easily taken for ${visibleName(first[0])} of "${first[1]}".`,
      fix: 'Rename one of the two.',
    }));
  });
}
