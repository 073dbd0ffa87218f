/**
 * Chooses one of a skill's versions, newest first, by what was asked for. `undefined` is the skill without a version; `null` says that none fits.
 *
 * @throws {SkillError} `invalid-input` for what it cannot read
 */
export type VersionResolver = (versions: readonly (string | undefined)[], range: string) => string | undefined | null;

/**
 * The resolver that costs nothing: an exact version, or `*` for the newest. For ranges such as `^1.2`, give the skillset `resolveVersion` of
 * `@repertoire/skills-core/versions`; it is apart because it brings the semver package.
 */
export const resolveExactVersion: VersionResolver = (versions, range) => {
  const wanted = range.trim();
  if (wanted === '*') return versions.length === 0 ? null : versions[0];
  return versions.includes(wanted) ? wanted : null;
};
