import path from 'node:path';
import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import type { CollectedSkill, CollectedSkills } from './collect-skills.ts';
import { showBytes } from './show-bytes.ts';
import type { BundleDifference } from './write-bundle.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** `--check` found another module. */
export function outdated(out: string, difference: BundleDifference, cwd: string): SkillError {
  const files = [...difference.outdated, ...difference.stale].map((file) => path.relative(cwd, file).replaceAll('\\', '/'));
  const listed = files.slice(0, 5).join(', ');
  return new SkillError(
    'digest-mismatch',
    `${out} is not what the folders are: ${listed}${files.length > 5 ? ` and ${files.length - 5} more` : ''}. Run the same command without --check, and commit what it writes.`,
    { path: out },
  );
}

/** What `--lenient` makes of a refusal. */
export function leftOut(error: SkillError): SkillDiagnostic {
  return { code: error.code, severity: 'warning', message: `Left out: ${error.message}`, skill: error.skill, path: error.path };
}

/** Nothing to bundle is a mistake in the call more often than not. */
export function nothingFound(roots: readonly string[]): SkillError {
  return new SkillError(
    'skill-not-found',
    `There is no skill to bundle in ${roots.join(', ')}. A skill is a folder with a SKILL.md; look at the path, --include and --exclude.`,
  );
}

/** The module would become one of the files that it is made of. */
export function insideSkill(out: string, { metadata, folder }: CollectedSkill): SkillError {
  return wrongUsage(
    `--out ${out} lies in the folder of skill ${JSON.stringify(metadata.name)} (${folder ?? ''}), so each bundle would hold the one before. Write it elsewhere.`,
    { skill: metadata.name, path: out },
  );
}

/** The whole is over the limit; it names where the weight is. */
export function tooLarge(size: number, limit: number, { skills }: CollectedSkills): SkillError {
  const weights = skills
    .map(({ metadata: { name }, size: bytes }) => ({ name, bytes }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, 3);
  return new SkillError(
    'limit-exceeded',
    `The bundle has ${showBytes(size)} gzipped, and ${showBytes(limit)} is the limit of --max-size. Largest: ${weights
      .map(({ name, bytes }) => `${name} (${showBytes(bytes)})`)
      .join(
        ', ',
      )}. Leave skills out (--exclude), keep them in a store (repertoire publish), or raise --max-size: a Worker may have 10 MB on a paid plan.`,
  );
}
