import type { SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { oneLine } from '../prompt/escape.ts';
import { fold, nearNames } from './near-names.ts';
import type { SkillCatalog } from './skill-catalog.ts';

/** The most names that an error lists. */
const maxNames = 30;

/**
 * Finds a skill that the model may load, forgiving the ways in which models and people write names: `/billing`, `$billing`, `Billing `, `billing_refunds`. An
 * exact name always wins; a spelling that fits two skills finds none.
 *
 * @throws {SkillError} `skill-not-found`, with near and available names
 */
export function findSkill(catalog: SkillCatalog, name: string): SkillMetadata {
  const exact = catalog.skills.find((skill) => skill.name === name);
  if (exact !== undefined) return exact;
  const wanted = fold(name);
  const alike = catalog.skills.filter((skill) => fold(skill.name) === wanted);
  if (alike.length === 1 && alike[0] !== undefined) return alike[0];
  throw skillNotFound(catalog, name);
}

export function skillNotFound(catalog: SkillCatalog, name: string): SkillError {
  const names = catalog.skills.map((skill) => oneLine(skill.name));
  const near = nearNames(name, names);
  const shown = names.slice(0, maxNames);
  const rest = names.length - shown.length;
  const didYouMean = near.length === 0 ? '' : ` Did you mean ${near.map((candidate) => JSON.stringify(candidate)).join(' or ')}?`;
  return new SkillError(
    'skill-not-found',
    `There is no skill ${JSON.stringify(cut(oneLine(name)))}.${didYouMean} Available skills: ${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}.`,
    { skill: name },
  );
}

function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
