import { SkillError, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, type OptionRules, compareText } from '@repertoire/skills-core/internal';
import { abortable, sha256Hex, type SignSkillIndex, type SkillCallOptions } from '@repertoire/skills-core/provider';
import { releaseBytes, type DocumentReference, type ReleasedSkill } from '../form/release.ts';
import { openStore, type OpenStore } from '../store/open-store.ts';
import type { SkillStore } from '../store/skill-store.ts';
import { beyondLimits } from './beyond-limits.ts';
import { listForPublishing } from './list-for-publishing.ts';
import { readSkillsToPublish } from './read-skills-to-publish.ts';
import { putSignature } from './put-signature.ts';
import { readPointer, swapPointer, type FoundPointer } from './swap-pointer.ts';
import { createUploader, type Uploader, type SkillUpload } from './uploader.ts';

/** Progress of {@link publishSkillsToStorage}. */
export interface PublishProgress {
  /** Skills that have been read and stored, and the total. */
  readonly skills: { readonly done: number; readonly total: number };
  /** Files uploaded so far, or with `dryRun`, files that would be. */
  readonly uploaded: number;
  /** Bytes of these files. */
  readonly bytes: number;
}

/** Options of {@link publishSkillsToStorage}. */
export interface PublishSkillsToStorageOptions extends SkillCallOptions {
  /** Prefix of the keys: `team/skills`. Readers use the same. @default '' */
  readonly prefix?: string | undefined;
  /**
   * How many releases to keep for rollback, including the new one; {@link pruneSkills} keeps these
   * too. From 2 to 100.
   * @default 3
   */
  readonly keep?: number | undefined;
  /**
   * Publishes the other skills if some cannot be used. `diagnostics` lists what was left out. A
   * source that does not answer is still an error.
   * @default false
   */
  readonly lenient?: boolean | undefined;
  /**
   * Publishes even if the source's listing is incomplete (`complete: false`), because of a limit or
   * a missing root. Skills that are not listed then disappear for every reader.
   * @default false
   */
  readonly allowIncomplete?: boolean | undefined;
  /**
   * Signs the release for readers with `verifyIndex`, such as `indexSigner` of
   * `@repertoire/skill-trust`. A signature expires, so publish again before that, even if nothing
   * changed.
   * @default nothing is signed
   */
  readonly signIndex?: SignSkillIndex | undefined;
  /** Reports what would be uploaded, and writes nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /** Uploads everything again, for a damaged store. @default false: by size */
  readonly verify?: boolean | undefined;
  /** Skills that are read and uploaded concurrently. @default 8 */
  readonly concurrency?: number | undefined;
  /**
   * Builds the search index that is published with the skills, so that readers can search without
   * reading all of them. It is called after the skills were read, with a provider of the published
   * ones. The same skills must give the same bytes, otherwise each run creates another release.
   * @default none
   */
  readonly searchIndex?: ((provider: SkillProvider, options: SkillCallOptions) => Promise<Uint8Array>) | undefined;
  /** Called after each skill and each upload. */
  readonly onProgress?: ((progress: PublishProgress) => void) | undefined;
}

/** Result of {@link publishSkillsToStorage}. With `dryRun`, what it would have done. */
export interface PublishedRelease {
  /** Id of the release: SHA-256 of its bytes. The same skills give the same id. */
  readonly release: string;
  /** Id of the release that was current before; `null` if nothing was published. */
  readonly replaced: string | null;
  /** Whether the current release changed. */
  readonly changed: boolean;
  /** Number of skills in the release. */
  readonly skills: number;
  /** Uploaded files, in order of skill and path. */
  readonly uploads: readonly SkillUpload[];
  /** Number of files that were already stored. */
  readonly reused: number;
  /** Uploaded bytes. */
  readonly bytes: number;
  /** What was left out and why; `release-beyond-limits` if readers refuse the release. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

const knownOptions: OptionRules<PublishSkillsToStorageOptions> = {
  prefix: 'string',
  keep: 'number',
  lenient: 'boolean',
  allowIncomplete: 'boolean',
  signIndex: '()',
  dryRun: 'boolean',
  verify: 'boolean',
  concurrency: 'number',
  searchIndex: '()',
  onProgress: '()',
  signal: '{}',
};

/**
 * Publishes every skill of a provider to a store: a folder from the command line, or a web site
 * from a Worker. Files are named by their digests and uploaded first, then the release, and last
 * the pointer, so a reader sees either the old release or the new one. Existing objects are not
 * uploaded again, so an interrupted run is harmless and the next run resumes it. If nothing
 * changed, it only lists the store.
 *
 * Concurrent publishers never mix their releases. The last one to finish is current, and a rollback
 * leads to the other one.
 *
 * Files are stored and served byte for byte, including `SKILL.md`.
 *
 * It never removes anything. See {@link pruneSkills}.
 *
 * @throws {SkillError} `source-unavailable` if the store or a source does not answer, if a skill
 *   changes while it is read, or if a listing is incomplete and `allowIncomplete` is not set;
 *   `invalid-skill` and others for unusable skills, unless `lenient`; `invalid-options`
 * @example
 * ```ts
 * import { publishSkillsToStorage, r2SkillStore, type R2BucketLike } from '@repertoire/skill-storage';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function mirror(provider: SkillProvider, bucket: R2BucketLike): Promise<string> {
 *   const { skills, uploads, release } = await publishSkillsToStorage(r2SkillStore(bucket), provider, { prefix: 'mirror' });
 *   return `${skills} skills, ${uploads.length} files uploaded, release ${release}`;
 * }
 * ```
 */
export async function publishSkillsToStorage(
  store: SkillStore,
  provider: SkillProvider,
  options: PublishSkillsToStorageOptions = {},
): Promise<PublishedRelease> {
  const of = 'publishSkillsToStorage';
  assertKnownOptions(of, options, knownOptions);
  const opened = openStore(of, store, options.prefix);
  const { signal, lenient = false, allowIncomplete = false, dryRun = false, verify = false, onProgress } = options;
  const keep = numberOption('keep', options.keep, { of, fallback: 3, least: 2, most: 100, whole: true });
  const concurrency = numberOption('concurrency', options.concurrency, { of, fallback: 8, least: 1, most: 64, whole: true });
  signal?.throwIfAborted();

  const { listed, diagnostics } = await listForPublishing(provider, { lenient, allowIncomplete }, signal);
  const before = await readPointer(opened, signal);
  let done = 0;
  const progress = (): void =>
    onProgress?.({ skills: { done, total: listed.length }, uploaded: uploader.uploads.length, bytes: uploader.bytes });
  const uploader = await createUploader({ store: opened, dryRun, verify, signal, onUpload: progress });
  const onSkill = (): void => {
    done += 1;
    progress();
  };
  const read = await readSkillsToPublish(provider, listed, { uploader, lenient, concurrency, signal, onSkill });
  const { skills } = read;
  diagnostics.push(...read.diagnostics);
  if (skills.length === 0 && diagnostics.length > 0) throw nothingToPublish(provider, diagnostics);
  const searchIndex = await publishedIndex(options.searchIndex, onlyPublished(provider, skills), uploader, signal);
  const bytes = await releaseBytes({ skills, searchIndex });
  diagnostics.push(...beyondLimits(bytes.length, skills.length));
  const publishing = { bytes, uploader, before, keep, dryRun, signIndex: options.signIndex, signal };
  const { release, ...switched } = await publishRelease(opened, publishing);
  return {
    release,
    skills: skills.length,
    uploads: uploader.uploads.toSorted(compareUploads),
    reused: uploader.reused,
    bytes: uploader.bytes,
    diagnostics,
    ...switched,
  };
}

interface ReleaseToPublish extends Pick<PublishSkillsToStorageOptions, 'signIndex' | 'signal'> {
  readonly bytes: Uint8Array;
  readonly uploader: Uploader;
  readonly before: FoundPointer;
  readonly keep: number;
  readonly dryRun: boolean;
}

/** Stores a release whose files are stored, and makes it the current one. */
async function publishRelease(
  store: OpenStore,
  { bytes, uploader, before, keep, dryRun, signIndex, signal }: ReleaseToPublish,
): Promise<Pick<PublishedRelease, 'release' | 'replaced' | 'changed'>> {
  const release = await sha256Hex(bytes);
  const replacedBefore = before.pointer?.release ?? null;
  const isCurrent = replacedBefore === release;
  if (!isCurrent) await uploader.checkReused();
  await uploader.release(release, bytes, isCurrent);
  // Also for a release that is already current, because its signature may be about to expire.
  if (signIndex !== undefined && !dryRun) await putSignature(store, release, signIndex, signal);
  const isDone = isCurrent && (before.pointer?.previous.length ?? 0) < keep;
  if (dryRun || isDone) return { release, replaced: replacedBefore, changed: !isCurrent };
  const replaced = await swapPointer(store, before, signal, (pointer) => ({
    release,
    previous: pointer === null ? [] : [pointer.release, ...pointer.previous].filter((id) => id !== release).slice(0, keep - 1),
  }));
  return { release, replaced, changed: replaced !== release };
}

function nothingToPublish({ label }: SkillProvider, diagnostics: readonly SkillDiagnostic[]): SkillError {
  return new SkillError(
    'invalid-skill',
    `No skill of "${label}" can be published, and a release without any takes all from every reader. ${diagnostics.at(-1)?.message ?? ''}`,
    { source: label },
  );
}

async function publishedIndex(
  make: PublishSkillsToStorageOptions['searchIndex'],
  provider: SkillProvider,
  uploader: Uploader,
  signal: AbortSignal | undefined,
): Promise<DocumentReference | undefined> {
  if (make === undefined) return undefined;
  const bytes = await abortable(() => make(provider, { signal }), signal);
  return { digest: await uploader.file({ skill: '', path: 'search-index' }, bytes), size: bytes.length };
}

function onlyPublished(provider: SkillProvider, skills: readonly ReleasedSkill[]): SkillProvider {
  const published = new Map(skills.map(({ metadata: { name, version } }) => [JSON.stringify([name, version]), true]));
  const { label } = provider;
  return {
    label,
    async listSkills(options) {
      const listing = await provider.listSkills(options);
      return { ...listing, skills: listing.skills.filter(({ name, version }) => published.has(JSON.stringify([name, version]))) };
    },
    getSkill: async (name, options) => await provider.getSkill(name, options),
    readResource: async (name, path, options) => await provider.readResource(name, path, options),
  };
}

function compareUploads(a: SkillUpload, b: SkillUpload): number {
  return compareText(a.skill, b.skill) || compareText(a.path, b.path);
}
