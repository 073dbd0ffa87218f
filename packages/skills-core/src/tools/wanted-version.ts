import { listedVersions } from '../catalog/listed-versions.ts';
import type { SkillCatalog } from '../catalog/skill-catalog.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { listWords, quoteWord } from '../prompt/source-words.ts';
import { loadedSkill, type SkillState } from '../state/skill-state.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/**
 * The listed skill of the version or range that was asked for.
 *
 * @throws {SkillError} `skill-not-found`
 */
export function wantedVersion({ catalog, resolveVersion }: ToolEnvironment, name: string, range: string): SkillMetadata {
  const versions = listedVersions(catalog.listed, name);
  const version = resolveVersion(
    versions.map((candidate) => candidate.version),
    range,
  );
  const found = version === undefined ? undefined : versions.find((candidate) => candidate.version === version);
  if (found === undefined) throw noSuchVersion(catalog, name, range);
  return found;
}

/**
 * Tools that work on a loaded skill work on the version that is loaded, so a request for another
 * version is refused.
 *
 * @throws {SkillError} `invalid-input`
 */
export function assertLoadedVersion(
  { names, resolveVersion }: ToolEnvironment,
  state: SkillState,
  name: string,
  range: string | undefined,
): void {
  const loaded = loadedSkill(state, name);
  if (range === undefined || loaded === undefined || resolveVersion([loaded.version], range) !== undefined) return;
  const version = loaded.version === null ? 'without a version' : `in version ${quoteWord(loaded.version)}`;
  throw new SkillError(
    'invalid-input',
    `Skill ${quoteWord(name)} is loaded ${version}, not ${quoteWord(range)}. Leave version out, or call ${names.load} with the other version first.`,
    { skill: name },
  );
}

/** The answer to a request for a version that the source does not list. */
export function noSuchVersion(catalog: SkillCatalog, name: string, version: string): SkillError {
  const versions = listedVersions(catalog.listed, name).map((skill) => skill.version ?? '(none)');
  return new SkillError(
    'skill-not-found',
    `Skill ${quoteWord(name)} has no version ${quoteWord(version)}. It has: ${listWords(versions)}. Leave version out to get the newest.`,
    { skill: name },
  );
}
