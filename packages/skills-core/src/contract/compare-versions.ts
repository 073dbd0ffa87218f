/**
 * Orders versions: newest first, `null` (no version) last. Follows Semantic Versioning 2.0.0
 * section 11 where both are semver; loose spellings (`v1.2`, `2`) are read as semver with zeros;
 * anything else stands behind every semver, compared as text.
 */
export function compareVersionsNewestFirst(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  const left = parse(a);
  const right = parse(b);
  if (left === null || right === null) {
    if (left !== null) return -1;
    if (right !== null) return 1;
    return a < b ? 1 : -1;
  }
  return comparePrecedence(right, left) || (a < b ? 1 : -1);
}

interface Version {
  readonly numbers: readonly number[];
  readonly prerelease: readonly string[];
}

function parse(version: string): Version | null {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9a-z.-]+))?(?:\+[0-9a-z.-]+)?$/i.exec(version.trim());
  if (match === null) return null;
  return { numbers: [match[1], match[2], match[3]].map((part) => Number(part ?? 0)), prerelease: match[4]?.split('.') ?? [] };
}

function comparePrecedence(a: Version, b: Version): number {
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // A pre-release comes before its release.
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length;
  for (let index = 0; index < Math.max(a.prerelease.length, b.prerelease.length); index += 1) {
    const left = a.prerelease[index];
    const right = b.prerelease[index];
    if (left === undefined) return -1;
    if (right === undefined) return 1;
    if (left === right) continue;
    const bothNumbers = /^\d+$/.test(left) && /^\d+$/.test(right);
    if (bothNumbers) return Number(left) - Number(right);
    // Numbers come before words.
    if (/^\d+$/.test(left)) return -1;
    if (/^\d+$/.test(right)) return 1;
    return left < right ? -1 : 1;
  }
  return 0;
}
