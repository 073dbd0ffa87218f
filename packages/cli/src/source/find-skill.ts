import path from 'node:path';
import { SkillError, type Skill, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import { nearNames } from '@repertoire/skills-core/internal';
import { readListing } from '@repertoire/skills-core/provider';

/**
 * Gets the skill that a person named: `billing`, or `billing@1.2.0` for one version.
 *
 * @throws {SkillError} `invalid-skill` with the reason for one that is broken; `skill-not-found`,
 *   with the names that are near, or that there are
 */
export async function findSkill(provider: SkillProvider, word: string, signal: AbortSignal): Promise<Skill> {
  const whole = await provider.getSkill(word, { signal });
  if (whole !== null) return whole;
  const at = word.lastIndexOf('@');
  const versioned = at > 0 ? await provider.getSkill(word.slice(0, at), { version: word.slice(at + 1), signal }) : null;
  if (versioned !== null) return versioned;
  const { skills, diagnostics } = await readListing(provider, { signal });
  const broken = diagnostics.filter(
    ({ severity, skill, path: file }) => severity === 'error' && (skill === word || folderOf(file) === word || file === word),
  );
  const [first] = broken;
  if (first !== undefined)
    throw new SkillError('invalid-skill', `The skill ${JSON.stringify(word)} cannot be used. ${broken.map(whyBroken).join(' ')}`, {
      skill: word,
      path: first.path,
    });
  const names = [...new Set(skills.map(({ name }) => name))];
  const near = nearNames(word, names);
  const [some, title] = near.length > 0 ? [near, 'Did you mean'] : [names, 'There are'];
  const there =
    names.length === 0
      ? 'There are no skills at all.'
      : `${title}: ${some.slice(0, 20).join(', ')}${some.length > 20 ? ` and ${some.length - 20} more` : ''}.`;
  throw new SkillError('skill-not-found', `No skill is named ${JSON.stringify(word)}. ${there}`, { skill: word });
}

function folderOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : path.basename(path.dirname(file));
}

function whyBroken({ message, path: file, line, fix }: SkillDiagnostic): string {
  const place = file === undefined || message.includes(file) ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  return `${message}${place}${fix === undefined ? '' : ` ${fix}`}`;
}
