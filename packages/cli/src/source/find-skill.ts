import { SkillError, type Skill, type SkillProvider } from '@repertoire/skills-core';
import { readListing } from '@repertoire/skills-core/provider';

/**
 * Gets the skill that a person named: `billing`, or `billing@1.2.0` for one version.
 *
 * @throws {SkillError} `skill-not-found`, with the names that there are
 */
export async function findSkill(provider: SkillProvider, word: string, signal: AbortSignal): Promise<Skill> {
  const whole = await provider.getSkill(word, { signal });
  if (whole !== null) return whole;
  const at = word.lastIndexOf('@');
  const versioned = at > 0 ? await provider.getSkill(word.slice(0, at), { version: word.slice(at + 1), signal }) : null;
  if (versioned !== null) return versioned;
  const { skills } = await readListing(provider, { signal });
  const names = [...new Set(skills.map(({ name }) => name))];
  const there =
    names.length === 0 ? 'There are no skills at all.' : `There are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}.`;
  throw new SkillError('skill-not-found', `No skill is named ${JSON.stringify(word)}. ${there}`, { skill: word });
}
