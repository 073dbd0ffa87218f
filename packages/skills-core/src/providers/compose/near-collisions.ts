import { skeletonOf, visibleName } from '../../contract/look-alike.ts';
import type { SkillDiagnostic } from '../../contract/skill-provider.ts';

/** A listed name, and the source and the skill that it came from. */
export interface ListedName {
  readonly name: string;
  readonly label: string;
  /** The skill that names the tool, or the skill itself. */
  readonly skill: string;
}

/** Reports names that look the same, see {@link skeletonOf}. */
export function nearCollisions(code: 'skill-near-collision' | 'tool-near-collision', listed: Iterable<ListedName>): SkillDiagnostic[] {
  const groups = new Map<string, Map<string, ListedName>>();
  for (const item of listed) {
    const look = skeletonOf(item.name);
    const names = groups.get(look) ?? new Map<string, ListedName>();
    if (!names.has(item.name)) groups.set(look, names.set(item.name, item));
  }
  return [...groups.values()].flatMap((names) => {
    const [first, ...others] = names.values();
    return first === undefined ? [] : others.map((other) => nearCollision(code, other, first));
  });
}

function nearCollision(code: string, { name, label, skill }: ListedName, first: ListedName): SkillDiagnostic {
  const what = skill === name ? '' : `, a tool that ${visibleName(skill)} names,`;
  return {
    code,
    severity: 'warning',
    skill,
    message: `${visibleName(name)} of "${label}"${what} is easily taken for ${visibleName(first.name)} of "${first.label}".`,
    fix: 'Rename one of the two.',
  };
}
