import { boundedDiagnostics } from '../contract/diagnostic-list.ts';
import { compareSkills } from '../contract/order.ts';
import type { SkillCallOptions, SkillDiagnostic, SkillListing, SkillMetadata, SkillProvider } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';

/** Listings that were brought in order before, by what the provider answered. */
const inOrder = new WeakMap<SkillListing, SkillListing>();

/**
 * Lists the skills of a provider in the one order that everything shows them in: by name (UTF-16 code units), then newest version first.
 * Everyone who consumes a provider calls this instead of `listSkills`, so that providers need not sort. A listing that a provider answers
 * again, as the same object, costs nothing.
 *
 * A name and version that is listed twice is kept once, and reported as `skill-listed-twice` (warning). Diagnostics are bounded: at most
 * a thousand, errors first, then `diagnostics-cut` (info) says how many were left out.
 *
 * @throws {SkillError} `source-unavailable` if the answer is no listing; what the provider rejects with
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
  const listing = sorted(answer, provider.label);
  // Only what cannot change may be remembered.
  if (Object.isFrozen(answer) && Object.isFrozen(answer.skills)) inOrder.set(answer, listing);
  return listing;
}

function isListing(answer: SkillListing | null | undefined): answer is SkillListing {
  return Array.isArray(answer?.skills) && Array.isArray(answer.diagnostics) && typeof answer.complete === 'boolean';
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
  for (const skill of [...listing.skills].sort(compareSkills)) {
    const previous = skills.at(-1);
    if (previous !== undefined && compareSkills(previous, skill) === 0) {
      twice.push({
        code: 'skill-listed-twice',
        severity: 'warning',
        skill: skill.name,
        message: `${JSON.stringify(label)} lists ${JSON.stringify(skill.name)} twice in the same version. The first is used.`,
        fix: 'Remove one of them, or give it another version.',
      });
    } else skills.push(skill);
  }
  return { ...listing, skills, diagnostics: boundedDiagnostics([...listing.diagnostics, ...twice]) };
}
