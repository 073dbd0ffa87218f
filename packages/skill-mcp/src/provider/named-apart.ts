import type { IndexedSkill } from './indexed-skill.ts';

/** A skill, and the name that it is listed by. */
export interface NamedSkill {
  readonly skill: IndexedSkill;
  readonly name: string;
}

/**
 * Gives skills names that differ. Of skills with one name, each is listed by its path; where that
 * is not enough, with the scheme of its URI; at last by the URI of its folder. It depends on what
 * there is and not on its order. The versions of one skill share a name.
 *
 * @param skills with distinct URIs, in order of these
 */
export function namedApart(skills: readonly IndexedSkill[]): readonly NamedSkill[] {
  const units = [...Map.groupBy(skills, versionedRoot)].flatMap(([root, versions]) => unitsOf(root, versions));
  for (;;) {
    const clashing = [...Map.groupBy(units, nameOf).values()].filter((same) => same.length > 1).flat();
    if (clashing.length === 0) break;
    for (const unit of clashing) unit.step += 1;
  }
  return units.flatMap((unit) => unit.skills.map((skill) => ({ skill, name: nameOf(unit) })));
}

interface Unit {
  /** URI of its folder, as written, without a slash at its end. */
  readonly root: string;
  readonly skills: readonly IndexedSkill[];
  step: number;
}

function nameOf({ root, skills, step }: Unit): string {
  const [first] = skills;
  const path = decoded(root.slice(root.indexOf('://') + '://'.length));
  const withScheme = `${path}~${root.slice(0, root.indexOf('://')).toLowerCase()}`;
  return [first?.ownName ?? path, path.includes('/') ? path : withScheme, withScheme][step] ?? root;
}

/** The versions in a folder that are one skill. */
function unitsOf(root: string, skills: readonly IndexedSkill[]): Unit[] {
  const own = new Map<string, IndexedSkill>();
  const others: Unit[] = [];
  // What lies beside the folders of versions comes first.
  const plainFirst = [...skills].sort((a, b) => Number(rootOf(a) !== root) - Number(rootOf(b) !== root));
  for (const skill of plainFirst) {
    const key = JSON.stringify([skill.ownName, skill.metadata.version]);
    const isSame = own.size === 0 || [...own.values()].every(({ ownName }) => ownName === skill.ownName);
    if (isSame && !own.has(key)) own.set(key, skill);
    else others.push({ root: rootOf(skill), skills: [skill], step: 0 });
  }
  return [{ root, skills: [...own.values()], step: 0 }, ...others];
}

/** Where a skill would lie without our publisher's folders for versions. */
function versionedRoot(skill: IndexedSkill): string {
  const root = rootOf(skill);
  const match = /^(.*\/)(?:_versions\/([^/]+)|_unversioned)\/([^/]+)$/.exec(root);
  if (match === null) return root;
  const [, before = '', version, name = ''] = match;
  const said = version === undefined ? null : decoded(version);
  return said === skill.metadata.version ? before + name : root;
}

function rootOf({ location }: IndexedSkill): string {
  return location.root.slice(0, -1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
