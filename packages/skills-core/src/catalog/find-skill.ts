import type { SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { listWords, quoteWord } from '../prompt/source-words.ts';
import { comparedCharacters, fold, nearNames } from '../contract/near-names.ts';
import type { VersionResolver } from '../providers/versions/version-resolver.ts';
import { isModelInvocable, type SkillCatalog } from './skill-catalog.ts';

/**
 * Finds a skill that the model may load. It accepts the ways in which models and people write
 * names: `/billing`, `$billing`, `Billing `, `billing_refunds`. An exact name always wins; a
 * spelling that matches two skills finds none. A skill that is not in the catalog is found by its
 * exact name only.
 *
 * @throws {SkillError} `skill-not-found`, with near and available names
 */
export function findSkill(catalog: Pick<SkillCatalog, 'skills' | 'listed'>, name: string): SkillMetadata {
  const [newest] = listedVersions(catalog.listed, name);
  const found = newest !== undefined && isModelInvocable(newest) ? newest : findAlike(catalog.skills, name);
  if (found === undefined) throw skillNotFound(catalog.skills, name);
  return found;
}

/** The one skill whose name is `name` up to spelling; none where two are. */
export function findAlike<Named extends { readonly name: string }>(skills: readonly Named[], name: string): Named | undefined {
  // Only its start would be compared.
  if (name.length > comparedCharacters) return undefined;
  const wanted = fold(name);
  const alike = skills.filter((skill) => fold(skill.name) === wanted);
  return alike.length === 1 ? alike[0] : undefined;
}

/** The error for a name that is not among `skills`; lists near names and the available skills. */
export function skillNotFound(skills: readonly SkillMetadata[], name: string): SkillError {
  const names = skills.map((skill) => skill.name);
  const near = nearNames(name, names);
  const didYouMean = near.length === 0 ? '' : ` Did you mean ${near.map(quoteWord).join(' or ')}?`;
  const available = names.length === 0 ? 'There are no skills.' : `Available skills: ${listWords(names)}.`;
  return new SkillError('skill-not-found', `There is no skill ${quoteWord(name)}.${didYouMean} ${available}`, { skill: name });
}

/**
 * Returns the listed versions of a skill, newest first. Without an index of all names: of ten
 * thousand, one takes longer to make than a hundred looks through the list.
 */
export function listedVersions(listed: readonly SkillMetadata[], name: string): readonly SkillMetadata[] {
  return listed.filter((skill) => skill.name === name);
}

/**
 * Returns the listed skill of the version or range that was asked for.
 *
 * @throws {SkillError} `skill-not-found`
 */
export function wantedVersion(
  catalog: Pick<SkillCatalog, 'listed'>,
  resolveVersion: VersionResolver,
  name: string,
  range: string,
): SkillMetadata {
  const versions = listedVersions(catalog.listed, name);
  const version = resolveVersion(
    versions.map((candidate) => candidate.version),
    range,
  );
  const found = version === undefined ? undefined : versions.find((candidate) => candidate.version === version);
  if (found === undefined) throw noSuchVersion(catalog, name, range);
  return found;
}

/** Returns the error for a version that the source does not list. */
export function noSuchVersion(catalog: Pick<SkillCatalog, 'listed'>, name: string, version: string): SkillError {
  const versions = listedVersions(catalog.listed, name).map((skill) => skill.version ?? '(none)');
  return new SkillError(
    'skill-not-found',
    `Skill ${quoteWord(name)} has no version ${quoteWord(version)}. It has: ${listWords(versions)}. Leave version out to get the newest.`,
    { skill: name },
  );
}
