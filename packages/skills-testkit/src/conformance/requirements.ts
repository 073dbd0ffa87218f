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

type Hook = 'failing' | 'stalled';

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
  readonly hook?: Hook;
}

type Row = readonly [level: SkillProviderRequirement['level'], sentence: string, needs?: SkillProviderAbility | Hook];

const requirements = {
  'contract/shape': ['all', 'has a label and the three methods'],
  'contract/promises': ['all', 'answers with a promise, and never throws at the call'],
  'contract/abilities': ['all', 'has exactly the optional abilities that its configuration declares'],

  'list/shape': [1, 'lists skills, diagnostics, and whether the list is complete; every skill has a version or `null`'],
  'list/level-1-only': [1, 'lists no body and no resources, and reads none, however large'],
  'list/standard-fields': [1, "lists the standard's optional fields and the version"],
  'list/other-fields': [1, 'carries every other field verbatim in `fields`'],
  'list/bad-skill': [1, 'lists the good skills where others are bad, and answers `null` for the bad ones'],
  'list/diagnostics': [1, 'reports every skill that it left out, as an error that names it'],
  'list/complete': [1, 'calls its list complete if it has everything; bad skills change nothing about it'],
  'list/unique': [1, 'lists each name and version once'],
  'list/empty': [1, 'lists nothing of an empty source, which is all there is'],
  'list/stable': [1, 'lists a large source completely, and the same again'],

  'skill/same-level-1': [2, 'gets a skill with the same level 1 as in the list'],
  'skill/body': [2, 'gets the Markdown below the frontmatter, trimmed; it may be empty'],
  'skill/body-text': [2, 'removes a byte order mark and makes every line end `\\n`'],
  'skill/unknown': [2, 'answers `null` for an unknown name, which is compared exactly'],
  'skill/prototype-names': [2, 'takes `constructor` for a name like any other, and `__proto__` for an unknown one'],
  'skill/unicode-names': [2, 'serves skills whose names are not ASCII'],
  'skill/no-contents': [2, 'lists files without their contents, and reads none of them'],
  'skill/diagnostics': [2, 'tells what is wrong with a skill, and of a good one nothing'],

  'version/exact': [2, 'serves the exact version that was listed'],
  'version/unknown': [2, 'answers `null` for a version that was not listed, also for a range'],
  'version/null': [2, 'serves the skill without a version where `null` is asked for, also beside versions'],
  'versions/newest': [2, 'serves the newest version where none is asked for', 'versions'],
  'versions/own-files': [3, 'serves the body and the files of the version that is asked for', 'versions'],

  'resources/complete': [2, 'lists every file of the skill, no folder, and not `SKILL.md`'],
  'resources/nfc': [2, 'lists paths in Unicode NFC, however the source spells them'],
  'resources/kinds': [2, 'tells what a file is for by the folder that it lies in'],
  'resources/media-types': [2, 'tells the media type of a file'],
  'resources/sizes': [2, 'tells true sizes where it tells sizes'],
  'resources/digests': [3, 'tells true digests where it tells digests'],
  'resources/with-bytes': [3, 'returns true bytes, and no more than asked for, where it takes `withBytes`'],

  'read/bytes': [3, 'reads the very bytes, as a plain `Uint8Array`'],
  'read/text-untouched': [3, 'keeps byte order marks and line ends of resources'],
  'read/as-listed': [3, 'reads every listed file, with the path and media type of the list and its whole size; an empty file too'],
  'read/max-bytes': [3, 'returns at most `maxBytes` bytes, the first of the file'],
  'read/size-when-cut': [3, 'tells the size of the whole file where the answer is cut'],
  'read/odd-names': [3, 'reads files whose names hold spaces, `%`, `#`, or letters of any script'],
  'read/unknown': [3, 'answers `null` for an unknown skill, an unknown path and a folder'],
  'read/prototype-names': [3, 'answers `null` for `constructor`, `__proto__` and their like'],
  'read/hostile': [3, 'answers `null` for paths that leave the skill: absolute, `..`, backslash, NUL, a scheme'],
  'read/not-normal': [
    3,
    'answers `null` for paths that are not in the form of the list: `./`, `//`, a trailing `/`, encoded, with a query',
  ],
  'read/other-skill': [3, "answers `null` for a path into another skill's folder"],
  'read/skill-md': [3, "reads `SKILL.md` as the author's exact bytes, or as `null`; lists it never"],
  'read/case': [3, 'compares paths exactly, also where the storage ignores case'],

  'abort/before': ['all', "rejects with the signal's reason where it was aborted before the call"],
  'abort/during': ['all', "gives the signal's reason, or a whole answer, where it is aborted during the call"],
  'abort/others': ['all', 'ends only the call whose signal was aborted'],
  'abort/stalled': ['all', "rejects with the signal's reason while its source does not answer", 'stalled'],

  'isolation/list': [1, 'is not affected by what a caller does to a list'],
  'isolation/skill': [2, 'is not affected by what a caller does to a skill'],
  'isolation/bytes': [3, 'is not affected by what a caller does to bytes'],
  'concurrency/same-answers': ['all', 'answers many calls at once as it answers them one by one'],

  'origin/label': [1, 'tells the origin by its own label and by what the host configured'],
  'origin/not-claimed': [1, 'lets no skill claim trust, a label or a place'],

  'pinned/place': [1, 'tells places that are the same in another source of the same files, and none of this machine'],
  'pinned/content': [2, 'tells the true content of a skill where it tells one'],
  'pinned/content-of': [2, 'tells by `contentOf` what `getSkill` tells, and nothing of an unknown skill'],
  'pinned/content-follows': [2, 'tells the new content by `contentOf` once it has told that something changed', 'watch'],
  'pinned/other': [2, 'gives no skill as one of a place or a content that it does not have'],
  'pinned/digest': [3, 'reads the very bytes of a digest, and gives no file as one of another digest'],

  'failing/rejects': [
    'all',
    'rejects with a `SkillError` (`source-unavailable`, `timeout`) where the source cannot answer; never with an empty list',
    'failing',
  ],
  'failing/abort-first': ['all', "rejects with the signal's reason where the source cannot answer either", 'failing'],

  'watch/tells': ['all', 'tells after something changed, everyone who watches', 'watch'],
  'watch/fresh': ['all', 'answers with the new state once it has told: skills added, changed, removed', 'watch'],
  'watch/ends': ['all', 'tells nothing more to who ended the subscription, which may be ended twice', 'watch'],
  'watch/bursts': ['all', 'tells a burst of changes as one, not file by file', 'watch'],

  'write/replaces': ['all', 'replaces a skill as a whole, and serves what was written at once', 'write'],
  'write/compares': ['all', 'writes nothing where the content is not the expected one', 'write'],
  'write/adds-and-removes': ['all', 'adds a skill where none is expected, and removes one', 'write'],
  'write/one-of-two': ['all', 'lets one of several writers that expect the same content write', 'write'],
  'write/names': ['all', 'refuses names and paths that differ by case only, and paths that leave the skill', 'write'],

  'dispose/twice': ['all', 'may be disposed twice', 'dispose'],
  'dispose/unavailable': ['all', 'rejects calls after it was disposed with `source-unavailable`', 'dispose'],
} as const;

/** Id of a requirement. */
export type SkillProviderRequirementId = keyof typeof requirements;

/**
 * All requirements, in the order in which their cases run.
 */
export const skillProviderRequirements: readonly SkillProviderRequirement[] = Object.entries<Row>(requirements).map(
  ([id, [level, sentence, needs]]) => ({
    id: id as SkillProviderRequirementId,
    sentence,
    level,
    ...(needs === 'failing' || needs === 'stalled' ? { hook: needs } : needs !== undefined && { ability: needs }),
  }),
);
