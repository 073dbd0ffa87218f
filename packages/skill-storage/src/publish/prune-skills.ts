import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules, isSha256Hex } from '@repertoire/skills-core/internal';
import { forEachBounded, type SkillCallOptions } from '@repertoire/skills-core/provider';
import { FormError } from '../form/json-document.ts';
import { parseRelease } from '../form/release.ts';
import { parseSkillDocument } from '../form/skill-document.ts';
import { readVerified } from '../provider/read-verified.ts';
import { openStore, type OpenStore } from '../store/open-store.ts';
import type { SkillStore, SkillStoreEntry } from '../store/skill-store.ts';
import { readPointer } from './swap-pointer.ts';

/** Options of {@link pruneSkills}. */
export interface PruneSkillsOptions extends SkillCallOptions {
  /** Prefix of the keys. @default '' */
  readonly prefix?: string | undefined;
  /**
   * Objects younger than this are kept, if the store reports times, because another publisher may
   * be about to use them. In milliseconds.
   * @default 3_600_000
   */
  readonly graceMs?: number | undefined;
  /** Reports what would be removed, and removes nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /** The clock, in milliseconds since 1970; for tests. @default Date.now */
  readonly now?: (() => number) | undefined;
}

const knownOptions: OptionRules<PruneSkillsOptions> = {
  prefix: 'string',
  graceMs: 'number',
  dryRun: 'boolean',
  now: '()',
  signal: '{}',
};

/** What {@link pruneSkills} removed; with `dryRun`, what it would have removed. */
export interface PrunedSkills {
  /** Ids of the releases that stay, the current one first. */
  readonly kept: readonly string[];
  /** Keys of the removed releases and files. */
  readonly removed: readonly string[];
  /** Total bytes, if the store reports sizes. */
  readonly bytes: number;
}

const concurrency = 8;
const digestLength = 64;

/**
 * Removes releases that the pointer does not name (those beyond `keep` of {@link
 * publishSkillsToStorage}), and files that no named release uses. It reads every named release, and
 * removes nothing if one cannot be read or if another one is published meanwhile. It never writes
 * the pointer, and never removes objects that {@link publishSkillsToStorage} did not write.
 *
 * Run it while nobody publishes. A concurrent publisher that reuses an old file gets an error that
 * asks to publish again. In the short time between its last check and its end, it must be run again
 * to restore the file.
 *
 * @throws {SkillError} `source-unavailable` if the store does not answer, nothing is published,
 *   somebody publishes meanwhile, or a named release cannot be read; `digest-mismatch`
 * @example
 * ```ts
 * import { pruneSkills, r2SkillStore, type R2BucketLike } from '@repertoire/skill-storage';
 *
 * export async function cleanUp(bucket: R2BucketLike): Promise<number> {
 *   return (await pruneSkills(r2SkillStore(bucket), { prefix: 'team' })).removed.length;
 * }
 * ```
 */
export async function pruneSkills(store: SkillStore, options: PruneSkillsOptions = {}): Promise<PrunedSkills> {
  assertKnownOptions('pruneSkills', options, knownOptions);
  const { signal, graceMs = 3_600_000, dryRun = false, now = Date.now } = options;
  const opened = openStore('pruneSkills', store, options.prefix);
  const { keys } = opened;
  const { pointer } = await readPointer(opened, signal);
  if (pointer === null) {
    throw new SkillError(
      'source-unavailable',
      `There is no ${keys.current} in the store ${opened.label}, so nothing tells what to keep. Check the prefix.`,
    );
  }
  const entries = [
    ...(await list(opened, keys.releases, (id) => keys.release(id), signal)),
    ...(await list(opened, keys.releases, (id) => keys.signature(id), signal)),
    ...(await list(opened, keys.files, (digest) => keys.file(digest), signal)),
  ];
  const listed = new Set(entries.map(({ key }) => key));
  const kept: string[] = [];
  const needed = new Set<string>();
  for (const id of [pointer.release, ...pointer.previous]) {
    const digests = await filesOf(opened, id, signal);
    // A deleted release needs nothing; one that is only invisible still needs its files.
    if (digests === null && (id === pointer.release || listed.has(keys.release(id))))
      throw unknown(opened, keys.release(id), 'is not there');
    if (digests === null) continue;
    kept.push(id);
    needed.add(keys.release(id));
    needed.add(keys.signature(id));
    for (const digest of digests) needed.add(keys.file(digest));
  }
  const newest = now() - graceMs;
  const removed = entries.filter(({ key, uploadedAt }) => !needed.has(key) && (uploadedAt === undefined || uploadedAt <= newest));
  const removedKeys = removed.map(({ key }) => key);
  await checkPointer(opened, new Set([pointer.release, ...pointer.previous]), signal);
  if (!dryRun) await opened.delete(removedKeys, { signal });
  return { kept, removed: removedKeys, bytes: removed.reduce((sum, { size }) => sum + (size ?? 0), 0) };
}

/** Objects published with this prefix, without nested prefixes. */
async function list(
  store: SkillStore,
  prefix: string,
  keyOf: (digest: string) => string,
  signal: AbortSignal | undefined,
): Promise<readonly SkillStoreEntry[]> {
  const entries = await store.list(prefix, { signal });
  return entries.filter(({ key }) => {
    const digest = key.slice(prefix.length, prefix.length + digestLength);
    return isSha256Hex(digest) && key === keyOf(digest);
  });
}

/** A release that was published meanwhile may use other files. */
async function checkPointer(store: OpenStore, known: ReadonlySet<string>, signal: AbortSignal | undefined): Promise<void> {
  const { pointer } = await readPointer(store, signal);
  if (pointer !== null && [pointer.release, ...pointer.previous].every((id) => known.has(id))) return;
  throw new SkillError(
    'source-unavailable',
    `Somebody published to the store ${store.label} meanwhile; nothing was removed. Prune again, while nobody publishes.`,
    { path: store.keys.current },
  );
}

async function filesOf(store: OpenStore, id: string, signal: AbortSignal | undefined): Promise<ReadonlySet<string> | null> {
  const path = store.keys.release(id);
  const release = await readWhole(store, path, id, signal, (bytes) => parseRelease(bytes, path, Number.POSITIVE_INFINITY));
  if (release === null) return null;
  const documents = new Set(release.skills.map(({ document }) => document.digest));
  const digests = new Set(documents);
  if (release.searchIndex !== undefined) digests.add(release.searchIndex.digest);
  const read = async (digest: string): Promise<void> => {
    const document = await readWhole(store, store.keys.file(digest), digest, signal, parseSkillDocument);
    if (document === null) throw unknown(store, store.keys.file(digest), 'is not there');
    if (document.skillMd !== null) digests.add(document.skillMd.digest);
    for (const resource of document.resources) digests.add(resource.digest);
  };
  await forEachBounded([...documents], concurrency, read, signal);
  return digests;
}

async function readWhole<Value>(
  store: SkillStore,
  key: string,
  digest: string,
  signal: AbortSignal | undefined,
  parse: (bytes: Uint8Array) => Value | Promise<Value>,
): Promise<Value | null> {
  const bytes = await readVerified(store, { key, digest }, signal);
  if (bytes === null) return null;
  try {
    return await parse(bytes);
  } catch (cause) {
    if (!(cause instanceof FormError)) throw cause;
    throw unknown(store, key, cause.message, cause);
  }
}

function unknown(store: SkillStore, key: string, why: string, cause?: unknown): SkillError {
  return new SkillError(
    'source-unavailable',
    `${key} of the store ${store.label} ${why}, so nothing tells what its release needs; nothing was removed. Publish those skills again, with verification, or others until the pointer forgets them.`,
    { path: key, cause },
  );
}
