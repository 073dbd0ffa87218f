import type { SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import { skeletonOf, visibleName } from '../../contract/look-alike.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { compareSkills } from '../../contract/order.ts';
import type { KnownName } from './composed-source.ts';
import { asListed, parseQualifiedName, qualifiedName } from './qualified-name.ts';

/** What is done where two sources have a skill of the same name. */
export type SkillCollisionRule = 'first' | 'last' | 'error' | 'rename';

/** What one source listed. */
export interface SourceListing {
  readonly label: string;
  readonly skills: readonly SkillMetadata[];
  /** Names that the source is known to have, though it does not answer now. They stay its own. */
  readonly missed?: ReadonlyMap<string, KnownName> | undefined;
}

/** The listings of several sources as one. */
export interface MergedListing {
  readonly skills: readonly SkillMetadata[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Merges listings; the first has priority, and trusted skills have it over all others. A name
 * belongs to one source as a whole: its versions are never mixed with those of another.
 *
 * @throws {SkillError} `duplicate-skill` by the rule `error`
 */
export function mergeListings(listings: readonly SourceListing[], labels: readonly string[], rule: SkillCollisionRule): MergedListing {
  const owners = new Map<string, string>();
  const shown: { skill: SkillMetadata; label: string }[] = [];
  const diagnostics = new Map<string, SkillDiagnostic>();
  // Versions of one name give one diagnostic.
  const report = (label: string, diagnostic: SkillDiagnostic) => diagnostics.set(JSON.stringify([label, diagnostic.skill]), diagnostic);

  const take = (skill: SkillMetadata, label: string): void => {
    const { name } = skill;
    if (parseQualifiedName(name, labels) !== null) return void report(label, reserved(name, label));
    const owner = owners.get(name) ?? label;
    owners.set(name, owner);
    if (owner === label) shown.push({ skill: asListed(skill, name, label), label });
    else if (rule === 'rename') shown.push({ skill: asListed(skill, qualifiedName(label, name), label), label });
    if (owner !== label) report(label, rule === 'rename' ? renamed(name, owner, label) : shadowed(name, owner, label));
  };

  // Trusted first: no untrusted skill takes their names, whatever the order.
  for (const trusted of [true, false]) {
    for (const { label, skills, missed = new Map<string, KnownName>() } of listings) {
      for (const [name, known] of missed) if (known.trusted === trusted && !owners.has(name)) owners.set(name, label);
      for (const skill of skills) if (isTrusted(skill) === trusted) take(skill, label);
    }
  }

  if (rule === 'error') throwOnCollision([...diagnostics.values()]);
  shown.sort((a, b) => compareSkills(a.skill, b.skill));
  return {
    skills: shown.map(({ skill }) => skill),
    diagnostics: [
      ...diagnostics.values(),
      ...nearCollisions(
        'skill-near-collision',
        shown.map(({ skill: { name }, label }) => ({ name, label, skill: name })),
      ),
      ...nearCollisions('tool-near-collision', toolsOf(shown)),
    ],
  };
}

function* toolsOf(shown: readonly { readonly skill: SkillMetadata; readonly label: string }[]): Generator<ListedName> {
  for (const { skill, label } of shown) for (const name of skill.tools ?? []) yield { name, label, skill: skill.name };
}

/** A listed name, and the source and the skill that it came from. */
interface ListedName {
  readonly name: string;
  readonly label: string;
  /** The skill that names the tool, or the skill itself. */
  readonly skill: string;
}

/** Reports names that look the same, see {@link skeletonOf}. */
function nearCollisions(code: 'skill-near-collision' | 'tool-near-collision', listed: Iterable<ListedName>): SkillDiagnostic[] {
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

function reserved(name: string, label: string): SkillDiagnostic {
  return {
    code: 'skill-name-reserved',
    severity: 'error',
    skill: name,
    message: `${quote(name)} of "${label}" is left out: it begins with the label of a source and a colon, which is how a source's own skills are addressed. It can be reached as ${quote(qualifiedName(label, name))}.`,
    fix: 'Rename the skill.',
  };
}

function shadowed(name: string, winner: string, loser: string): SkillDiagnostic {
  return {
    code: 'skill-shadowed',
    severity: 'warning',
    skill: name,
    message: `${quote(name)} of "${loser}" is hidden by ${quote(name)} of "${winner}". It can be reached as ${quote(qualifiedName(loser, name))}.`,
    fix: 'Rename one of the two, leave one out with selectSkills, or compose with onCollision: "rename".',
  };
}

function renamed(name: string, winner: string, loser: string): SkillDiagnostic {
  return {
    code: 'skill-renamed',
    severity: 'info',
    skill: qualifiedName(loser, name),
    message: `${quote(name)} of "${loser}" is listed as ${quote(qualifiedName(loser, name))}, since "${winner}" has a skill of that name.`,
  };
}

function throwOnCollision(diagnostics: readonly SkillDiagnostic[]): void {
  const collisions = diagnostics.filter(({ code }) => code === 'skill-shadowed');
  const [first] = collisions;
  if (first === undefined) return;
  const more = collisions.length > 1 ? ` ${collisions.length - 1} more skills collide.` : '';
  throw new SkillError(
    'duplicate-skill',
    `${first.message}${more} The composition does not allow that (onCollision: "error"). Rename the skills, leave some out with selectSkills, or choose another rule.`,
    {
      ...(first.skill !== undefined && { skill: first.skill }),
    },
  );
}

function quote(name: string): string {
  return JSON.stringify(name);
}
