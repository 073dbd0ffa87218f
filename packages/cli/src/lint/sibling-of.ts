import path from 'node:path';
import type { LintFacts, LintReference } from './lint-rule.ts';

/** The skill beside another one that a reference leads to, and whether it has the file. */
export interface Sibling {
  readonly name: string;
  readonly exists: boolean;
}

const folders = new WeakMap<readonly LintFacts[], ReadonlyMap<string, LintFacts>>();
const names = new WeakMap<readonly LintFacts[], ReadonlyMap<string, LintFacts>>();

const found = new WeakMap<readonly LintFacts[], Map<LintReference, Sibling | null>>();

/** Finds the sibling skill that a path leads to, by its folder or its name. Several rules ask. */
export function siblingOf(skill: LintFacts, reference: LintReference, skills: readonly LintFacts[]): Sibling | null {
  const known = found.get(skills) ?? new Map<LintReference, Sibling | null>();
  found.set(skills, known);
  const before = known.get(reference);
  if (before !== undefined) return before;
  const sibling = findSibling(skill, reference, skills);
  known.set(reference, sibling);
  return sibling;
}

function findSibling(skill: LintFacts, { inside }: LintReference, skills: readonly LintFacts[]): Sibling | null {
  const wanted = inside.replace(/\/$/, '');
  if (skill.folder !== null) {
    const full = path.resolve(skill.folder, wanted);
    const byFolder = cached(folders, skills, ({ folder }) => folder);
    for (let above = full; above !== path.dirname(above); above = path.dirname(above)) {
      const other = byFolder.get(above);
      if (other === skill) break;
      if (other !== undefined) return { name: other.name, exists: hasPath(other, path.relative(above, full).replaceAll('\\', '/')) };
    }
  }
  // Where skills are installed elsewhere, the folder of a skill still has its name.
  const parts = wanted.split('/').filter((part) => part !== '..' && part !== 'skills' && part !== '.agents' && part !== '.claude');
  const named = cached(names, skills, ({ name }) => name).get(parts[0] ?? '');
  if (named === undefined || named === skill || (parts.length === 1 && !inside.includes('/'))) return null;
  return { name: named.name, exists: hasPath(named, parts.slice(1).join('/')) };
}

function hasPath({ files }: LintFacts, inner: string): boolean {
  return inner === '' || inner.toLowerCase() === 'skill.md' || files.some((file) => file === inner || file.startsWith(`${inner}/`));
}

function cached(
  kept: WeakMap<readonly LintFacts[], ReadonlyMap<string, LintFacts>>,
  skills: readonly LintFacts[],
  keyOf: (skill: LintFacts) => string | null,
): ReadonlyMap<string, LintFacts> {
  const before = kept.get(skills);
  if (before !== undefined) return before;
  const made = new Map(skills.flatMap((skill) => (keyOf(skill) === null ? [] : [[keyOf(skill) ?? '', skill] as const])));
  kept.set(skills, made);
  return made;
}
