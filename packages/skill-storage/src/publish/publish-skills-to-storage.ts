import { SkillError, type SkillCallOptions, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import { abortable, assertKnownOptions, compareText, numberOption, sha256Hex, type SignSkillIndex } from '@repertoire/skills-core/provider';
import { releaseBytes, type DocumentReference, type ReleasedSkill } from '../form/release.ts';
import { storeKeys } from '../form/store-keys.ts';
import { assertStore } from '../store/assert-store.ts';
import type { SkillStore } from '../store/skill-store.ts';
import { beyondLimits } from './beyond-limits.ts';
import { listForPublishing } from './list-for-publishing.ts';
import { readSkillsToPublish } from './read-skills-to-publish.ts';
import { putSignature } from './put-signature.ts';
import { readPointer, swapPointer } from './swap-pointer.ts';
import { createUploader, type Uploader, type SkillUpload } from './uploader.ts';

/** How far {@link publishSkillsToStorage} has come. */
export interface PublishProgress {
  /** Skills that are read and stored so far, and all of them. */
  readonly skills: { readonly done: number; readonly total: number };
  /** Files that were uploaded so far; with `dryRun`, that would be. */
  readonly uploaded: number;
  /** Bytes of them. */
  readonly bytes: number;
}

/** Options of {@link publishSkillsToStorage}. */
export interface PublishSkillsToStorageOptions extends SkillCallOptions {
  /** What the keys start with: `team/skills`. Readers are given the same. @default '' */
  readonly prefix?: string | undefined;
  /** Releases that the pointer names, the new one among them: so many steps back there are, and so many {@link pruneSkills} keeps. 2 to 100. @default 3 */
  readonly keep?: number | undefined;
  /**
   * Whether to publish the others where skills cannot be used. What is left out is told in `diagnostics`. A source that does not answer is an error all the same.
   * @default false
   */
  readonly lenient?: boolean | undefined;
  /**
   * Whether to publish also if the source says that it could not list everything (`complete: false`): a limit cut it, a root is missing. What
   * is not listed is then gone for every reader.
   * @default false
   */
  readonly allowIncomplete?: boolean | undefined;
  /**
   * Signs the release, such as `indexSigner` of `@repertoire/skill-trust`, for readers with `verifyIndex`. A signature expires, so publish before that also where nothing
   * changed.
   * @default nothing is signed
   */
  readonly signIndex?: SignSkillIndex | undefined;
  /** Whether to find out what would be uploaded, and write nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /** Whether to upload everything again, for a store whose contents are damaged. @default false: what is there in its size is left alone */
  readonly verify?: boolean | undefined;
  /** Skills that are read and uploaded at the same time. @default 8 */
  readonly concurrency?: number | undefined;
  /**
   * Makes the search index that is published with the skills: readers then search without reading them all. It is asked when the skills were read, and given
   * those that are published. The same skills must give the same bytes, else each run is another release.
   * @default none
   */
  readonly searchIndex?: ((provider: SkillProvider, options: SkillCallOptions) => Promise<Uint8Array>) | undefined;
  /** Told after each skill and each upload. */
  readonly onProgress?: ((progress: PublishProgress) => void) | undefined;
}

/** What {@link publishSkillsToStorage} did; with `dryRun`, what it would have done. */
export interface PublishedRelease {
  /** Id of the release: SHA-256 of its bytes. The same skills give the same id. */
  readonly release: string;
  /** Id of the release that was current before. `null` where nothing was published. */
  readonly replaced: string | null;
  /** Whether another release was current before. */
  readonly changed: boolean;
  /** Skills of the release. */
  readonly skills: number;
  /** Files that were uploaded, in order of skill and path. */
  readonly uploads: readonly SkillUpload[];
  /** Files that were there already. */
  readonly reused: number;
  /** Bytes that were uploaded. */
  readonly bytes: number;
  /** What was left out, and why; and `release-beyond-limits`, where readers take a part of it, or nothing, unless their limits are raised. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

const knownOptions: Readonly<Record<keyof PublishSkillsToStorageOptions, true>> = {
  signal: true,
  prefix: true,
  keep: true,
  lenient: true,
  allowIncomplete: true,
  signIndex: true,
  dryRun: true,
  verify: true,
  concurrency: true,
  searchIndex: true,
  onProgress: true,
};

/**
 * Publishes every skill of a provider into a store: a folder from the command line, a web site from a Worker. Files are named by their digests and uploaded
 * first, then the release, and the pointer last, so that a reader sees the old release or the new one. What is there already is not uploaded again: a run that
 * was cut short is harmless, and is resumed by another one. Skills that did not change cost a listing of the store.
 *
 * Two publishers at once never mix. The last to end is current, and the other one's release is what a rollback leads to.
 *
 * Files go in byte for byte, `SKILL.md` among them, and come out the same.
 *
 * It never removes anything; see {@link pruneSkills}.
 *
 * @throws {SkillError} `source-unavailable` where the store or a source does not answer, or a skill changes while it is read; `invalid-skill` and
 * others for skills that cannot be used, unless `lenient`; `source-unavailable` for a listing that is not complete, unless `allowIncomplete`; `invalid-options`
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
  assertStore(of, store);
  const { signal, lenient = false, allowIncomplete = false, dryRun = false, verify = false, onProgress, signIndex } = options;
  const keys = storeKeys(options.prefix ?? '');
  const keep = numberOption('keep', options.keep, { of, fallback: 3, least: 2, most: 100, whole: true });
  const concurrency = numberOption('concurrency', options.concurrency, { of, fallback: 8, least: 1, most: 64, whole: true });
  signal?.throwIfAborted();

  const { listed, diagnostics } = await listForPublishing(provider, { lenient, allowIncomplete }, signal);
  const before = await readPointer(store, keys, signal);
  let done = 0;
  const progress = (): void =>
    onProgress?.({ skills: { done, total: listed.length }, uploaded: uploader.uploads.length, bytes: uploader.bytes });
  const uploader = await createUploader(store, keys, { dryRun, verify, signal, onUpload: progress });

  const onSkill = (): void => {
    done += 1;
    progress();
  };
  const read = await readSkillsToPublish(provider, listed, { uploader, lenient, concurrency, signal, onSkill });
  const { skills } = read;
  diagnostics.push(...read.diagnostics);
  if (skills.length === 0 && diagnostics.length > 0) {
    throw new SkillError(
      'invalid-skill',
      `No skill of "${provider.label}" can be published, and a release without any takes all from every reader. ${diagnostics.at(-1)?.message ?? ''}`,
      { source: provider.label },
    );
  }
  const searchIndex = await publishedIndex(options.searchIndex, onlyPublished(provider, skills), uploader, signal);
  const bytes = releaseBytes({ skills, searchIndex });
  const release = await sha256Hex(bytes);
  diagnostics.push(...beyondLimits(bytes.length, skills.length));
  const result = {
    release,
    skills: skills.length,
    uploads: [...uploader.uploads].sort(compareUploads),
    reused: uploader.reused,
    bytes: uploader.bytes,
    diagnostics,
  };
  const replacedBefore = before.pointer?.release ?? null;
  const isCurrent = replacedBefore === release;
  if (!isCurrent) await uploader.checkReused();
  await uploader.release(release, bytes, isCurrent);
  // Also for a release that is current: its signature may be about to expire.
  if (signIndex !== undefined && !dryRun) await putSignature(store, keys, release, signIndex, signal);
  const isDone = isCurrent && (before.pointer?.previous.length ?? 0) < keep;
  if (dryRun || isDone) return { ...result, replaced: replacedBefore, changed: !isCurrent };
  const replaced = await swapPointer(store, keys, before, signal, (pointer) => ({
    release,
    previous: pointer === null ? [] : [pointer.release, ...pointer.previous].filter((id) => id !== release).slice(0, keep - 1),
  }));
  return { ...result, replaced, changed: replaced !== release };
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

/** The provider without the skills that were left out. */
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
