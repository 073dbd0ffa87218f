import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { SignSkillIndex, SkillWriteResult, WriteSkillOptions } from '@repertoire/skills-core/provider';
import { ReleaseReader } from '../provider/release-reader.ts';
import { providerOf, type StorageSkillProvider } from '../provider/storage-skill-provider.ts';
import { storageOptionRules, storageSettings, type StorageSkillProviderOptions } from '../provider/storage-skill-provider-options.ts';
import { writeStoredSkill } from './write-stored-skill.ts';

/** Options of {@link writableStorageSkillProvider}. */
export interface WritableStorageSkillProviderOptions extends StorageSkillProviderOptions {
  /**
   * Says that this provider is the only writer and publisher of the prefix. A store without
   * conditional writes (KV, unstorage) needs it: two processes that write at the same moment would
   * both be told that they wrote.
   * @default false
   */
  readonly onlyWriter?: boolean | undefined;
  /**
   * Signs each new release, as `signIndex` of `publishSkillsToStorage`. Required with
   * `verifyIndex`.
   * @default nothing is signed
   */
  readonly signIndex?: SignSkillIndex | undefined;
}

/** A {@link StorageSkillProvider} with `write`. */
export type WritableStorageSkillProvider = StorageSkillProvider & Required<Pick<SkillProvider, 'write'>>;

const of = 'writableStorageSkillProvider';
const knownOptions: OptionRules<WritableStorageSkillProviderOptions> = { ...storageOptionRules, onlyWriter: 'boolean', signIndex: '()' };

/**
 * Reads and writes skills in object or key-value storage that can be written one by one: for
 * `acceptProposal` of `@repertoire/skill-proposals`. Agents read with `storageSkillProvider`.
 *
 * Each write makes a release of its own: the files are stored first, then the release, and the
 * pointer last, only if nobody else moved it. A reader sees the release before or the new one, also
 * after a crash at any step. `rollbackSkills` goes back over it like over any other release. If
 * somebody wrote another skill meanwhile, the write is made again on top of that.
 *
 * A skill with several versions, and a release with entries that cannot be read, are not written:
 * publish them.
 *
 * @throws {SkillError} `invalid-options` for a store without conditional writes unless
 *   `onlyWriter`, and for `verifyIndex` without `signIndex`. `write` rejects with `invalid-skill`,
 *   `invalid-path`, `duplicate-skill`, `limit-exceeded`, `unsupported` or `source-unavailable`
 * @example
 * ```ts
 * import { r2SkillStore, type R2BucketLike } from '@repertoire/skill-storage';
 * import { writableStorageSkillProvider } from '@repertoire/skill-storage/write';
 *
 * export const reviewed = (bucket: R2BucketLike) => writableStorageSkillProvider({ label: 'team', store: r2SkillStore(bucket), prefix: 'team' });
 * ```
 */
export function writableStorageSkillProvider(options: WritableStorageSkillProviderOptions): WritableStorageSkillProvider {
  assertKnownOptions(of, options, knownOptions);
  const { onlyWriter = false, signIndex, ...reading } = options;
  const settings = storageSettings(reading);
  const { conditional, label: store } = settings.store;
  if (!conditional && !onlyWriter)
    throw new SkillError(
      'invalid-options',
      `${of}: the store ${store} has no conditional writes, so two writers would overwrite each other. If this process is the only one that writes there, say so with onlyWriter: true.`,
    );
  if (settings.verifyIndex !== undefined && signIndex === undefined)
    throw new SkillError(
      'invalid-options',
      `${of} has verifyIndex and no signIndex, so no reader would serve what it writes. Give signIndex.`,
    );
  const releases = new ReleaseReader(settings);
  const provider = providerOf(settings, releases);
  let isDisposed = false;
  let before: Promise<unknown> = Promise.resolve();

  const write = async (
    name: string,
    files: Readonly<Record<string, Uint8Array>> | null,
    { expected, signal }: WriteSkillOptions,
  ): Promise<SkillWriteResult> => {
    signal?.throwIfAborted();
    if (isDisposed)
      throw new SkillError('source-unavailable', `Source "${settings.label}" was disposed. Make another provider.`, {
        source: settings.label,
      });
    try {
      return await writeStoredSkill({ name, files, expected, settings, releases, signIndex, signal });
    } finally {
      releases.expire();
    }
  };

  return {
    ...provider,

    async write(name, files, given) {
      // A conditional store detects concurrent writes itself, and a Worker must not wait for other
      // requests.
      if (conditional) return await write(name, files, given);
      const mine = before.then(() => write(name, files, given));
      before = mine.catch(() => undefined);
      return await mine;
    },

    async [Symbol.asyncDispose]() {
      isDisposed = true;
      await provider[Symbol.asyncDispose]();
    },
  };
}
