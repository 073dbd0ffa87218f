import { isSha256Hex } from '@repertoire/skills-core/internal';
import { objectWith, parseStrictJson } from '../encoding/strict-json.ts';
import { refuse, show } from '../problem/refusal.ts';

/** One skill of a release. */
export interface ReleasedSkill {
  readonly name: string;
  /** The version that SKILL.md names; `null` for none. */
  readonly version: string | null;
  /** The digest of its signed statement: one SHA-256 for all files, in lower-case hex. */
  readonly digest: string;
}

/**
 * What a publisher says about all of its skills at one time. Skill signatures have no version and
 * no time; a release has both, so nobody can serve an older state or withhold a newer one
 * unnoticed.
 */
export interface ReleaseDocument {
  /** The source that it is for, such as `https://skills.example.com`. */
  readonly source: string;
  /** Number of the release: 1, 2, 3 and so on. */
  readonly release: number;
  /** When it was made, as an ISO date in UTC. */
  readonly issued: string;
  /** When it expires, as an ISO date in UTC. */
  readonly expires: string;
  /** Digest of the release before, in lower-case hex; `null` for the first one. */
  readonly previous: string | null;
  /** The skills; each name and version occurs once. Empty if the release is for an index. */
  readonly skills: readonly ReleasedSkill[];
  /**
   * SHA-256 of the index that lists the skills, in lower-case hex: the index of a site, or a
   * release of a storage. An index names everything by digests, so this covers all of it, and the
   * skills need no signatures of their own.
   * @default null
   */
  readonly index?: string | null | undefined;
}

/** The payload type of a release, so that no skill's signature passes for one. */
export const releasePayloadType = 'application/vnd.repertoire.release+json';

const maxRelease = Number.MAX_SAFE_INTEGER - 1;
const maxDepth = 8;
const maxTextLength = 1024;
const keys = ['source', 'release', 'issued', 'expires', 'previous', 'skills', 'index'];

/** Parses a release from a verified payload. */
export function parseRelease(payload: Uint8Array, maxSkills: number): ReleaseDocument {
  const json = objectWith(parseStrictJson(payload, maxDepth, malformed), keys, 'The release', malformed);
  const { source, release, issued, expires, previous, skills, index } = json;
  if (!isText(source)) return malformed('source is not a short text');
  if (typeof release !== 'number' || !Number.isSafeInteger(release) || release < 1 || release > maxRelease)
    return malformed(`release is ${show(release)}, not 1, 2, 3 … up to ${maxRelease}`);
  if (!isDate(issued) || !isDate(expires)) return malformed('issued or expires is not an ISO date in UTC');
  if (previous !== null && !isDigest(previous)) return malformed('previous is neither a SHA-256 nor null');
  if ((release === 1) !== (previous === null)) return malformed('the first release has no previous one, and all others have one');
  if (index !== null && !isDigest(index)) return malformed('index is neither a SHA-256 nor null');
  if (!Array.isArray(skills) || skills.length > maxSkills) return malformed(`skills is not a list of at most ${maxSkills}`);
  return { source, release, issued, expires, previous, skills: readSkills(skills), index };
}

function readSkills(list: readonly unknown[]): ReleasedSkill[] {
  const seen = new Set<string>();
  return list.map((entry) => {
    const { name, version, digest } = objectWith(entry, ['name', 'version', 'digest'], 'A skill of the release', malformed);
    if (!isText(name) || (version !== null && !isText(version)) || !isDigest(digest))
      return malformed(`the skill ${show(name)} is incomplete`);
    const key = JSON.stringify([name, version]);
    if (seen.has(key)) return malformed(`the skill ${key} is listed twice`);
    seen.add(key);
    return { name, version, digest };
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxTextLength;
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && isSha256Hex(value);
}

/** Whether a value is a date in the format of `toISOString`, the only one that is accepted. */
function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
}

function malformed(reason: string): never {
  return refuse('release-malformed', `The release document cannot be used: ${reason}.`);
}
