import { fold } from '../../contract/near-names.ts';
import type { SkillDiagnostic } from '../../contract/skill-provider.ts';

/** A listed name and the source that it came from. */
export interface ListedName {
  readonly name: string;
  readonly label: string;
}

/**
 * Reports names that a person or a model takes for one another: that differ only in case, in compatibility characters (NFKC), in characters that show nothing, or
 * in `_`, space and `-`. Look-alike letters of two scripts are not among them.
 */
export function nearCollisions(listed: readonly ListedName[]): SkillDiagnostic[] {
  const groups = new Map<string, Map<string, string>>();
  for (const { name, label } of listed) {
    const key = fold(name.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu, ''));
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
      message: `${visible(name)} of "${label}" is easily taken for ${visible(first[0])} of "${first[1]}".`,
      fix: 'Rename one of the two.',
    }));
  });
}

/** The name with everything in escapes that does not show, or shows like something else. */
function visible(name: string): string {
  return JSON.stringify(name).replace(/[^\x20-\x7E]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}
