import { boundedDiagnostics } from '../contract/diagnostic-list.ts';
import { placeOf } from '../contract/skill-identity.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import { compareSkills } from '../contract/order.ts';
import { compareText } from '../contract/skill-name.ts';
import type { SkillCallOptions, SkillDiagnostic, SkillListing, SkillMetadata, SkillProvider } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';

/** Listings that were brought in order before, by what the provider answered. */
const inOrder = new WeakMap<SkillListing, SkillListing>();

/**
 * Lists the skills of a provider in the one order that everything shows them in: by name (UTF-16
 * code units), then newest version first. Everyone who consumes a provider calls this instead of
 * `listSkills`, so that providers need not sort. A listing that a provider answers again, as the
 * same object, costs nothing.
 *
 * An entry that is no skill is left out, with `listing-invalid` (error).
 *
 * A name and version that is listed twice is kept once, and reported as `skill-listed-twice`
 * (warning). If the two lie at different places they are different skills: then the same one is
 * kept in whatever order they come, a trusted one before others, then by label and place. A source
 * that can have such skills lists them under names of their own, since a name is all that a model
 * has to choose by. Diagnostics are bounded: at most a thousand, errors first, then
 * `diagnostics-cut` (info) says how many were left out.
 *
 * @throws {SkillError} `source-unavailable` if the answer is no listing; what the provider rejects
 *   with
 * @example
 * ```ts
 * import { readListing } from '@repertoire/skills-core/provider';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function names(provider: SkillProvider): Promise<string[]> {
 *   const { skills } = await readListing(provider);
 *   return skills.map(({ name }) => name);
 * }
 * ```
 */
export async function readListing(provider: SkillProvider, options: SkillCallOptions = {}): Promise<SkillListing> {
  const answer = await provider.listSkills(options);
  const known = inOrder.get(answer);
  if (known !== undefined) return known;
  if (!isListing(answer)) {
    throw new SkillError(
      'source-unavailable',
      `Source ${JSON.stringify(provider.label)} answered no listing. listSkills must return { skills, diagnostics, complete }.`,
      { source: provider.label },
    );
  }
  const listing = sorted(withoutNonsense(answer, provider.label), provider.label);
  // Only what cannot change may be remembered.
  if (Object.isFrozen(answer) && Object.isFrozen(answer.skills)) inOrder.set(answer, listing);
  return listing;
}

function isListing(answer: SkillListing | null | undefined): answer is SkillListing {
  return Array.isArray(answer?.skills) && Array.isArray(answer.diagnostics) && typeof answer.complete === 'boolean';
}

/** A listing without entries that are no skills. A source in JavaScript may answer anything. */
function withoutNonsense(listing: SkillListing, label: string): SkillListing {
  const wrong: { readonly index: number; readonly why: string }[] = [];
  listing.skills.forEach((skill, index) => {
    const why = nonsenseOf(skill);
    if (why !== undefined) wrong.push({ index, why });
  });
  if (wrong.length === 0) return listing;
  const left = new Set(wrong.map(({ index }) => index));
  return {
    ...listing,
    complete: false,
    skills: listing.skills.filter((_, index) => !left.has(index)),
    diagnostics: [
      ...listing.diagnostics,
      ...wrong.map(({ index, why }): SkillDiagnostic => ({
        code: 'listing-invalid',
        severity: 'error',
        message: `${JSON.stringify(label)} lists an entry, number ${index + 1}, ${why}. It is left out.`,
        fix: 'Correct the source: listSkills answers what SkillMetadata says.',
      })),
    ],
  };
}

function nonsenseOf(skill: unknown): string | undefined {
  if (typeof skill !== 'object' || skill === null) return 'that is no object';
  const { name, description, version, tools, metadata, whenToUse, origin } = skill as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') return 'without a name';
  if (typeof description !== 'string') return 'without a description';
  if (typeof (version ?? '') !== 'string') return 'whose version is no text';
  if (tools !== undefined && !(Array.isArray(tools) && tools.every((tool) => typeof tool === 'string')))
    return 'whose tools are no list of names';
  if (whenToUse !== undefined && typeof whenToUse !== 'string') return 'whose whenToUse is no text';
  if (isNoObject(metadata) || isNoObject(origin)) return 'whose metadata or origin is no object';
  return undefined;
}

function isNoObject(field: unknown): boolean {
  return field !== undefined && (typeof field !== 'object' || field === null);
}

function sorted(listing: SkillListing, label: string): SkillListing {
  const isInOrder = listing.skills.every((skill, index) => {
    const previous = listing.skills[index - 1];
    return previous === undefined || compareSkills(previous, skill) < 0;
  });
  const diagnostics = boundedDiagnostics(listing.diagnostics);
  if (isInOrder) return diagnostics === listing.diagnostics ? listing : { ...listing, diagnostics };
  const skills: SkillMetadata[] = [];
  const twice: SkillDiagnostic[] = [];
  for (const skill of [...listing.skills].sort((a, b) => compareSkills(a, b) || compareIdentities(a, b))) {
    const previous = skills.at(-1);
    if (previous !== undefined && compareSkills(previous, skill) === 0) twice.push(listedTwice(label, previous, skill));
    else skills.push(skill);
  }
  return { ...listing, skills, diagnostics: boundedDiagnostics([...listing.diagnostics, ...twice]) };
}

/** Trusted first, then by label and place. */
function compareIdentities(a: SkillMetadata, b: SkillMetadata): number {
  return (
    Number(isTrusted(b)) - Number(isTrusted(a)) ||
    compareText(a.origin?.label ?? '', b.origin?.label ?? '') ||
    compareText(placeOf(a), placeOf(b))
  );
}

function listedTwice(label: string, kept: SkillMetadata, left: SkillMetadata): SkillDiagnostic {
  const what = `${JSON.stringify(label)} lists ${JSON.stringify(left.name)} twice in the same version`;
  const isOne = compareIdentities(kept, left) === 0;
  return {
    code: 'skill-listed-twice',
    severity: 'warning',
    skill: left.name,
    message: isOne
      ? `${what}. The first is used.`
      : `${what}: at ${whereOf(kept)}, which is used, and at ${whereOf(left)}, which is another skill and cannot be reached.`,
    fix: isOne ? 'Remove one of them, or give it another version.' : 'Rename one of them.',
  };
}

function whereOf(skill: SkillMetadata): string {
  return JSON.stringify(`${skill.origin === undefined ? '' : `${skill.origin.label}:`}${placeOf(skill)}`);
}
