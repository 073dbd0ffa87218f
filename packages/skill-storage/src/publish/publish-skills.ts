import {
  compareText,
  SkillError,
  type SkillCallOptions,
  type SkillDiagnostic,
  type SkillMetadata,
  type SkillProvider,
} from '@repertoire/skills-core';
import { releaseBytes, type ReleasedSkill } from '../form/release.ts';
import { storeKeys } from '../form/store-keys.ts';
import type { SkillStore } from '../store/skill-store.ts';
import { forEachBounded } from './for-each-bounded.ts';
import { listForPublishing } from './list-for-publishing.ts';
import { readSkillToPublish } from './read-skill-to-publish.ts';
import { readPointer, swapPointer } from './swap-pointer.ts';
import { createUploader, type SkillUpload } from './uploader.ts';

/** How far {@link publishSkills} has come. */
export interface PublishProgress {
  /** Skills that are read and stored so far, and all of them. */
  readonly skills: { readonly done: number; readonly total: number };
  /** Files that were uploaded so far; with `dryRun`, that would be. */
  readonly uploaded: number;
  /** Bytes of them. */
  readonly bytes: number;
}

/** Options of {@link publishSkills}. */
export interface PublishSkillsOptions extends SkillCallOptions {
  /** What the keys start with: `team/skills`. Readers are given the same. @default '' */
  readonly prefix?: string | undefined;
  /** Releases that the pointer names, the new one among them: so many steps back there are, and so many {@link pruneSkills} keeps. 2 to 100. @default 3 */
  readonly keep?: number | undefined;
  /**
   * Whether to publish the others where skills cannot be used. What is left out is told in `diagnostics`. A source that does not answer is an error all the same.
   * @default false
   */
  readonly lenient?: boolean | undefined;
  /** Whether to find out what would be uploaded, and write nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /** Whether to upload everything again, for a store whose contents are damaged. @default false: what is there in its size is left alone */
  readonly verify?: boolean | undefined;
  /** Skills that are read and uploaded at the same time. @default 8 */
  readonly concurrency?: number | undefined;
  /** Told after each skill and each upload. */
  readonly onProgress?: ((progress: PublishProgress) => void) | undefined;
}

/** What {@link publishSkills} did; with `dryRun`, what it would have done. */
export interface PublishedRelease {
  /** Id of the release: SHA-256 of its bytes. The same skills give the same id. */
  readonly release: string;
  /** Id of the release that was current before. `null` where nothing was published. */
  readonly replaced: string | null;
  /** Whether the pointer changed. */
  readonly changed: boolean;
  /** Skills of the release. */
  readonly skills: number;
  /** Files that were uploaded, in order of skill and path. */
  readonly uploads: readonly SkillUpload[];
  /** Files that were there already. */
  readonly reused: number;
  /** Bytes that were uploaded. */
  readonly bytes: number;
  /** What was left out, and why. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Publishes every skill of a provider into a store: a folder from the command line, a web site from a Worker. Files are named by their digests and uploaded
 * first, then the release, and the pointer last, so that a reader sees the old release or the new one. What is there already is not uploaded again: a run that
 * was cut short is harmless, and is resumed by another one. Skills that did not change cost a listing of the store.
 *
 * Two publishers at once never mix. The last to end is current, and the other one's release is what a rollback leads to.
 *
 * It never removes anything; see {@link pruneSkills}.
 *
 * @throws {SkillError} `source-unavailable` where the store or a source does not answer, or a skill changes while it is read; `invalid-skill` and
 * others for skills that cannot be used, unless `lenient`; `invalid-options`
 * @example
 * ```ts
 * import { publishSkills, r2SkillStore, type R2BucketLike } from '@repertoire/skill-storage';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function mirror(provider: SkillProvider, bucket: R2BucketLike): Promise<string> {
 *   const { skills, uploads, release } = await publishSkills(r2SkillStore(bucket), provider, { prefix: 'mirror' });
 *   return `${skills} skills, ${uploads.length} files uploaded, release ${release}`;
 * }
 * ```
 */
export async function publishSkills(
  store: SkillStore,
  provider: SkillProvider,
  options: PublishSkillsOptions = {},
): Promise<PublishedRelease> {
  const { signal, lenient = false, dryRun = false, verify = false, onProgress } = options;
  const keys = storeKeys(options.prefix ?? '');
  const keep = wholeNumber('keep', options.keep ?? 3, 2, 100);
  const concurrency = wholeNumber('concurrency', options.concurrency ?? 8, 1, 64);
  signal?.throwIfAborted();

  const { listed, diagnostics } = await listForPublishing(provider, lenient, signal);
  const before = await readPointer(store, keys, signal);
  let done = 0;
  const progress = (): void =>
    onProgress?.({ skills: { done, total: listed.length }, uploaded: uploader.uploads.length, bytes: uploader.bytes });
  const uploader = await createUploader(store, keys, { dryRun, verify, signal, onUpload: progress });

  const released: (ReleasedSkill | null)[] = listed.map(() => null);
  await forEachBounded(listed, concurrency, signal, async (skill, index) => {
    try {
      released[index] = isReachable(skill, listed)
        ? await readSkillToPublish(provider, skill, uploader, signal)
        : { metadata: skill, document: null };
    } catch (error) {
      signal?.throwIfAborted();
      if (!lenient || !isAboutSkill(error)) throw error;
      diagnostics.push(leftOut(skill, error));
    }
    done += 1;
    progress();
  });

  const skills = released.filter((skill) => skill !== null);
  const release = await uploader.release(releaseBytes({ skills }));
  const result = {
    release,
    skills: skills.length,
    uploads: [...uploader.uploads].sort(compareUploads),
    reused: uploader.reused,
    bytes: uploader.bytes,
    diagnostics,
  };
  const replacedBefore = before.pointer?.release ?? null;
  if (dryRun || replacedBefore === release) return { ...result, replaced: replacedBefore, changed: replacedBefore !== release };
  await uploader.checkReused();
  const replaced = await swapPointer(store, keys, before, signal, (pointer) => ({
    release,
    previous: pointer === null ? [] : [pointer.release, ...pointer.previous].filter((id) => id !== release).slice(0, keep - 1),
  }));
  return { ...result, replaced, changed: true };
}

function compareUploads(a: SkillUpload, b: SkillUpload): number {
  return compareText(a.skill, b.skill) || compareText(a.path, b.path);
}

/** A skill without a version beside versions of its name is listed and cannot be got. */
function isReachable(skill: SkillMetadata, listed: readonly SkillMetadata[]): boolean {
  return skill.version !== undefined || listed.find(({ name }) => name === skill.name) === skill;
}

/** Whether it is the skill that is wrong: not the store, nor a source that does not answer just now, which would lose what it had published. */
function isAboutSkill(error: unknown): error is SkillError {
  return SkillError.isInstance(error) && error.source !== undefined && error.code !== 'source-unavailable' && error.code !== 'timeout';
}

function leftOut({ name, version }: SkillMetadata, { message }: SkillError): SkillDiagnostic {
  return {
    code: 'skill-not-published',
    severity: 'error',
    message: `${JSON.stringify(name)}${version === undefined ? '' : ` ${version}`} is not published: ${message}`,
    skill: name,
    fix: 'Mend the skill or its source, and publish again.',
  };
}

function wholeNumber(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new SkillError(
    'invalid-options',
    `Option "${name}" of publishSkills is ${String(value)}. Give a whole number from ${least} to ${most}.`,
  );
}
