import type { GetSkillOptions, Skill, SkillProvider } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { identityOptions } from '../../contract/skill-identity.ts';
import { readSkillMd } from './read-skill-md.ts';
import { skillDigest } from './skill-digest.ts';
import { forEachBounded } from '../support/for-each-bounded.ts';
import { numberOption } from '../support/number-option.ts';

/** Everything that a skill consists of. */
export interface WholeSkill {
  /** The files by path: `SKILL.md`, then the others in the order of the skill's list. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** `skillDigest(files)`: SHA-256 in lower-case hex. */
  readonly digest: string;
  /** Whether `SKILL.md` is the author's own; else the canonical text was written. */
  readonly isOriginal: boolean;
}

/** Options of {@link readSkillFiles}. */
export interface ReadSkillFilesOptions extends Pick<GetSkillOptions, 'signal'> {
  /** The most files besides `SKILL.md`. @default 1000 */
  readonly maxFiles?: number | undefined;
  /** The most bytes of all files together. @default 33554432 (32 MiB) */
  readonly maxBytes?: number | undefined;
}

/**
 * Reads all files of a skill: for a runner, an upload, a signature. For a runner, keep the digest
 * of what was approved, and pass it with every later run: it refuses files that changed since.
 *
 * @throws {SkillError} `limit-exceeded` when the skill has more files or bytes than allowed
 * @throws {SkillError} `resource-not-found` when a listed file cannot be read as a whole
 * @example
 * ```ts
 * import type { Skill, SkillProvider } from '@repertoire/skills-core';
 * import { readSkillFiles, type SkillRunner, type SkillRunResult } from '@repertoire/skills-core/provider';
 *
 * export async function profile(runner: SkillRunner, provider: SkillProvider, skill: Skill, csv: string): Promise<SkillRunResult> {
 *   const { files, digest } = await readSkillFiles(provider, skill);
 *   return runner.run({ skill, files, digest, script: 'scripts/profile.mjs', arguments: ['-'], stdin: csv });
 * }
 * ```
 */
export async function readSkillFiles(provider: SkillProvider, skill: Skill, options: ReadSkillFilesOptions = {}): Promise<WholeSkill> {
  const { signal } = options;
  const maxFiles = numberOption('maxFiles', options.maxFiles, { of: 'readSkillFiles', fallback: 1_000, least: 0 });
  const maxBytes = numberOption('maxBytes', options.maxBytes, { of: 'readSkillFiles', fallback: 33_554_432, least: 0 });
  const paths = skill.resources.map(({ path }) => path).filter((path) => path !== 'SKILL.md');
  if (paths.length > maxFiles) throw tooLarge(skill.name, `${paths.length} files, and at most ${maxFiles} are read`, 'maxFiles');

  const read = new Map<string, Uint8Array>();
  let total = 0;
  const readOne = async (path: string): Promise<void> => {
    // One byte more than fits tells a file that is too large from one that just fits.
    const room = Math.max(0, maxBytes - total) + 1;
    const resource = await provider.readResource(skill.name, path, { ...identityOptions(skill), signal, maxBytes: room });
    total += resource?.bytes.length ?? 0;
    if (total > maxBytes) throw tooLarge(skill.name, `more than ${maxBytes} bytes`, 'maxBytes');
    if (resource === null || resource.bytes.length !== resource.size) throw notWhole(provider.label, skill.name, path);
    read.set(path, resource.bytes);
  };
  await forEachBounded(paths, 8, readOne, signal);
  const raw = await readSkillMd(provider, skill, { signal });
  const others = paths.flatMap((path) => {
    const bytes = read.get(path);
    return bytes === undefined ? [] : [[path, bytes] as const];
  });
  const files = Object.fromEntries([['SKILL.md', raw.bytes] as const, ...others]);
  return { files, digest: await skillDigest(files), isOriginal: raw.isOriginal };
}

function tooLarge(skill: string, what: string, option: string): SkillError {
  return new SkillError('limit-exceeded', `Skill ${JSON.stringify(skill)} has ${what}. Raise ${option} if the skill is meant to be so.`, {
    skill,
  });
}

function notWhole(source: string, skill: string, path: string): SkillError {
  return new SkillError(
    'resource-not-found',
    `Skill ${JSON.stringify(skill)} lists ${path}, which could not be read as a whole. It may have changed meanwhile; try again.`,
    { skill, path, source },
  );
}
