/**
 * Chooses one of a skill's versions, newest first, by what was asked for. `null` is the skill
 * without a version; `undefined` means that none fits.
 *
 * @throws {SkillError} `invalid-input` for what it cannot read
 */
export type VersionResolver = (versions: readonly (string | null)[], range: string) => string | null | undefined;

/**
 * The resolver that costs nothing: an exact version, or `*` for the newest. For ranges such as
 * `^1.2`, give the skillset `resolveVersion` of `@repertoire/skills-core/versions`; it is apart
 * because it brings the semver package.
 */
export const resolveExactVersion: VersionResolver = (versions, range) => {
  const wanted = range.trim();
  if (wanted === '*') return versions[0];
  return versions.includes(wanted) ? wanted : undefined;
};
