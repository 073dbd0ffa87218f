/**
 * The requirement manifest: every behavior that the contract requires of a source, with ids that
 * never change. The texts follow the docstrings of `SkillProvider` in `@repertoire/skills-core`, in
 * a form that can be checked. Each id has exactly one case, and each case has one mutant.
 *
 * @module
 */

/**
 * An optional ability of the contract. Two of them have no method: `versions` (several versions of
 * one skill) and `raw` (the author's own `SKILL.md`, byte for byte).
 */
export type SkillProviderAbility = 'watch' | 'dispose' | 'versions' | 'raw' | 'write';

/** One thing that a source must do. */
export interface SkillProviderRequirement {
  /** Stable name: `area/what`. */
  readonly id: SkillProviderRequirementId;
  /** What is required, in one sentence. */
  readonly sentence: string;
  /** The level of disclosure; `all` if it holds for every method. */
  readonly level: 1 | 2 | 3 | 'all';
  /** Checked only if the configuration declares this ability. */
  readonly ability?: SkillProviderAbility;
  /** Checked only if the configuration has this hook. */
  readonly hook?: 'failing' | 'stalled';
}

const requirements = [
  { id: 'contract/shape', level: 'all', sentence: 'has a label and the three methods' },
  { id: 'contract/promises', level: 'all', sentence: 'answers with a promise, and never throws at the call' },
  { id: 'contract/abilities', level: 'all', sentence: 'has exactly the optional abilities that its configuration declares' },

  {
    id: 'list/shape',
    level: 1,
    sentence: 'lists skills, diagnostics, and whether the list is complete; every skill has a version or `null`',
  },
  { id: 'list/level-1-only', level: 1, sentence: 'lists no body and no resources, and reads none, however large' },
  { id: 'list/standard-fields', level: 1, sentence: "lists the standard's optional fields and the version" },
  { id: 'list/other-fields', level: 1, sentence: 'carries every other field verbatim in `fields`' },
  { id: 'list/bad-skill', level: 1, sentence: 'lists the good skills where others are bad, and answers `null` for the bad ones' },
  { id: 'list/diagnostics', level: 1, sentence: 'reports every skill that it left out, as an error that names it' },
  { id: 'list/complete', level: 1, sentence: 'calls its list complete if it has everything; bad skills change nothing about it' },
  { id: 'list/unique', level: 1, sentence: 'lists each name and version once' },
  { id: 'list/empty', level: 1, sentence: 'lists nothing of an empty source, which is all there is' },
  { id: 'list/stable', level: 1, sentence: 'lists a large source completely, and the same again' },

  { id: 'skill/same-level-1', level: 2, sentence: 'gets a skill with the same level 1 as in the list' },
  { id: 'skill/body', level: 2, sentence: 'gets the Markdown below the frontmatter, trimmed; it may be empty' },
  { id: 'skill/body-text', level: 2, sentence: 'removes a byte order mark and makes every line end `\\n`' },
  { id: 'skill/unknown', level: 2, sentence: 'answers `null` for an unknown name, which is compared exactly' },
  { id: 'skill/prototype-names', level: 2, sentence: 'takes `constructor` for a name like any other, and `__proto__` for an unknown one' },
  { id: 'skill/unicode-names', level: 2, sentence: 'serves skills whose names are not ASCII' },
  { id: 'skill/no-contents', level: 2, sentence: 'lists files without their contents, and reads none of them' },
  { id: 'skill/diagnostics', level: 2, sentence: 'tells what is wrong with a skill, and of a good one nothing' },

  { id: 'version/exact', level: 2, sentence: 'serves the exact version that was listed' },
  { id: 'version/unknown', level: 2, sentence: 'answers `null` for a version that was not listed, also for a range' },
  { id: 'version/null', level: 2, sentence: 'serves the skill without a version where `null` is asked for, also beside versions' },
  { id: 'versions/newest', level: 2, ability: 'versions', sentence: 'serves the newest version where none is asked for' },
  { id: 'versions/own-files', level: 3, ability: 'versions', sentence: 'serves the body and the files of the version that is asked for' },

  { id: 'resources/complete', level: 2, sentence: 'lists every file of the skill, no folder, and not `SKILL.md`' },
  { id: 'resources/nfc', level: 2, sentence: 'lists paths in Unicode NFC, however the source spells them' },
  { id: 'resources/kinds', level: 2, sentence: 'tells what a file is for by the folder that it lies in' },
  { id: 'resources/media-types', level: 2, sentence: 'tells the media type of a file' },
  { id: 'resources/sizes', level: 2, sentence: 'tells true sizes where it tells sizes' },
  { id: 'resources/digests', level: 3, sentence: 'tells true digests where it tells digests' },
  { id: 'resources/with-bytes', level: 3, sentence: 'returns true bytes, and no more than asked for, where it takes `withBytes`' },

  { id: 'read/bytes', level: 3, sentence: 'reads the very bytes, as a plain `Uint8Array`' },
  { id: 'read/text-untouched', level: 3, sentence: 'keeps byte order marks and line ends of resources' },
  {
    id: 'read/as-listed',
    level: 3,
    sentence: 'reads every listed file, with the path and media type of the list and its whole size; an empty file too',
  },
  { id: 'read/max-bytes', level: 3, sentence: 'returns at most `maxBytes` bytes, the first of the file' },
  { id: 'read/size-when-cut', level: 3, sentence: 'tells the size of the whole file where the answer is cut' },
  { id: 'read/odd-names', level: 3, sentence: 'reads files whose names hold spaces, `%`, `#`, or letters of any script' },
  { id: 'read/unknown', level: 3, sentence: 'answers `null` for an unknown skill, an unknown path and a folder' },
  { id: 'read/prototype-names', level: 3, sentence: 'answers `null` for `constructor`, `__proto__` and their like' },
  { id: 'read/hostile', level: 3, sentence: 'answers `null` for paths that leave the skill: absolute, `..`, backslash, NUL, a scheme' },
  {
    id: 'read/not-normal',
    level: 3,
    sentence: 'answers `null` for paths that are not in the form of the list: `./`, `//`, a trailing `/`, encoded, with a query',
  },
  { id: 'read/other-skill', level: 3, sentence: "answers `null` for a path into another skill's folder" },
  { id: 'read/skill-md', level: 3, sentence: "reads `SKILL.md` as the author's exact bytes, or as `null`; lists it never" },
  { id: 'read/case', level: 3, sentence: 'compares paths exactly, also where the storage ignores case' },

  { id: 'abort/before', level: 'all', sentence: "rejects with the signal's reason where it was aborted before the call" },
  { id: 'abort/during', level: 'all', sentence: "gives the signal's reason, or a whole answer, where it is aborted during the call" },
  { id: 'abort/others', level: 'all', sentence: 'ends only the call whose signal was aborted' },
  { id: 'abort/stalled', level: 'all', hook: 'stalled', sentence: "rejects with the signal's reason while its source does not answer" },

  { id: 'isolation/list', level: 1, sentence: 'is not affected by what a caller does to a list' },
  { id: 'isolation/skill', level: 2, sentence: 'is not affected by what a caller does to a skill' },
  { id: 'isolation/bytes', level: 3, sentence: 'is not affected by what a caller does to bytes' },
  { id: 'concurrency/same-answers', level: 'all', sentence: 'answers many calls at once as it answers them one by one' },

  { id: 'origin/label', level: 1, sentence: 'tells the origin by its own label and by what the host configured' },
  { id: 'origin/not-claimed', level: 1, sentence: 'lets no skill claim trust, a label or a place' },

  { id: 'held/place', level: 1, sentence: 'tells places that are the same in another source of the same files, and none of this machine' },
  { id: 'held/content', level: 2, sentence: 'tells the true content of a skill where it tells one' },
  { id: 'held/content-of', level: 2, sentence: 'tells by `contentOf` what `getSkill` tells, and nothing of an unknown skill' },
  {
    id: 'held/content-follows',
    level: 2,
    ability: 'watch',
    sentence: 'tells the new content by `contentOf` once it has told that something changed',
  },
  { id: 'held/other', level: 2, sentence: 'gives no skill as one of a place or a content that it does not have' },
  { id: 'held/digest', level: 3, sentence: 'reads the very bytes of a digest, and gives no file as one of another digest' },

  {
    id: 'failing/rejects',
    level: 'all',
    hook: 'failing',
    sentence: 'rejects with a `SkillError` (`source-unavailable`, `timeout`) where the source cannot answer; never with an empty list',
  },
  {
    id: 'failing/abort-first',
    level: 'all',
    hook: 'failing',
    sentence: "rejects with the signal's reason where the source cannot answer either",
  },

  { id: 'watch/tells', level: 'all', ability: 'watch', sentence: 'tells after something changed, everyone who watches' },
  {
    id: 'watch/fresh',
    level: 'all',
    ability: 'watch',
    sentence: 'answers with the new state once it has told: skills added, changed, removed',
  },
  {
    id: 'watch/ends',
    level: 'all',
    ability: 'watch',
    sentence: 'tells nothing more to who ended the subscription, which may be ended twice',
  },
  { id: 'watch/bursts', level: 'all', ability: 'watch', sentence: 'tells a burst of changes as one, not file by file' },

  { id: 'write/replaces', level: 'all', ability: 'write', sentence: 'replaces a skill as a whole, and serves what was written at once' },
  { id: 'write/compares', level: 'all', ability: 'write', sentence: 'writes nothing where the content is not the expected one' },
  { id: 'write/adds-and-removes', level: 'all', ability: 'write', sentence: 'adds a skill where none is expected, and removes one' },
  { id: 'write/one-of-two', level: 'all', ability: 'write', sentence: 'lets one of several writers that expect the same content write' },
  {
    id: 'write/names',
    level: 'all',
    ability: 'write',
    sentence: 'refuses names and paths that differ by case only, and paths that leave the skill',
  },

  { id: 'dispose/twice', level: 'all', ability: 'dispose', sentence: 'may be disposed twice' },
  {
    id: 'dispose/unavailable',
    level: 'all',
    ability: 'dispose',
    sentence: 'rejects calls after it was disposed with `source-unavailable`',
  },
] as const;

/** Id of a requirement. */
export type SkillProviderRequirementId = (typeof requirements)[number]['id'];

/**
 * All requirements, in the order in which their cases run.
 *
 * @example
 * ```ts
 * import { skillProviderRequirements } from '@repertoire/skills-testkit';
 *
 * export const checklist: string = skillProviderRequirements.map(({ id, sentence }) => `- [ ] ${id}: ${sentence}`).join('\n');
 * ```
 */
export const skillProviderRequirements: readonly SkillProviderRequirement[] = requirements;
