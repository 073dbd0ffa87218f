import Range from 'semver/classes/range.js';
import SemVer from 'semver/classes/semver.js';
import { SkillError } from '../../errors/skill-error.ts';
import { compareVersionsNewestFirst } from '../../contract/compare-versions.ts';

/** Longer than any range that a person writes; bounds the work that a written range can ask for. */
const maxRangeLength = 256;

/**
 * Chooses the newest of a skill's versions that a range allows. Ranges are those of npm: `^1.2`,
 * `~1.2.3`, `1.x`, `>=1.2 <3 || 4`, `1.2 - 1.4`.
 *
 * - `*` (and an empty range) is the newest of all, which is what no version at all means to a
 *   provider: also a pre-release, also a version that is no semver.
 * - A range that equals a version to the letter is that version, whatever it looks like: `2026-01`,
 *   `nightly`.
 * - Loose versions are read as semver with zeros: `v1.2` is `1.2.0`. What is returned is the
 *   version as it was written.
 * - A pre-release is chosen only by a range that names a pre-release of the same
 *   `major.minor.patch`: `^2.0.0-rc.1` allows `2.0.0-rc.2`, and not `2.1.0-rc.1`.
 * - What is no semver, and no version at all, fits only the first two rules.
 *
 * @returns the version, as written; `null` for the skill without a version; `undefined` if none
 *   fits
 * @throws {SkillError} `invalid-input` for what is no range
 * @example
 * ```ts
 * import type { Skill, SkillProvider } from '@repertoire/skills-core';
 * import { readListing } from '@repertoire/skills-core/provider';
 * import { resolveVersion } from '@repertoire/skills-core/versions';
 *
 * export async function getByRange(provider: SkillProvider, name: string, range: string): Promise<Skill | null> {
 *   const { skills } = await readListing(provider);
 *   const version = resolveVersion(skills.filter((skill) => skill.name === name).map((skill) => skill.version), range);
 *   return version === undefined ? null : await provider.getSkill(name, { version });
 * }
 * ```
 */
export function resolveVersion(versions: readonly (string | null)[], range: string): string | null | undefined {
  const wanted = range.trim();
  if (versions.includes(wanted)) return wanted;
  const newestFirst = [...versions].sort(compareVersionsNewestFirst);
  if (wanted === '*' || wanted === '') return newestFirst[0];
  const allowed = parseRange(wanted);
  return newestFirst.find((version) => version !== null && allows(allowed, version));
}

function parseRange(range: string): Range {
  try {
    if (range.length <= maxRangeLength) return new Range(range);
  } catch (cause) {
    throw invalidRange(range, cause);
  }
  throw invalidRange(`${range.slice(0, 40)}…`);
}

function allows(range: Range, version: string): boolean {
  const semver = semverOf(version);
  return semver !== null && range.test(semver);
}

/** The version as semver, by the loose reading of the listing's order; `null` for anything else. */
function semverOf(version: string): SemVer | null {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(-[0-9a-z.-]+)?(?:\+[0-9a-z.-]+)?$/i.exec(version.trim());
  if (match === null) return null;
  const [, major, minor = '0', patch = '0', prerelease = ''] = match;
  try {
    return new SemVer(`${major}.${minor}.${patch}${prerelease}`, { loose: true });
  } catch {
    // Numbers too large to compare: it looks like semver, and is none.
    return null;
  }
}

function invalidRange(range: string, cause?: unknown): SkillError {
  return new SkillError(
    'invalid-input',
    `${JSON.stringify(range)} is no range of versions. Write one such as "^1.2", "~1.2.3", "1.x", ">=1.2 <3", an exact version, or "*" for the newest.`,
    { cause },
  );
}
