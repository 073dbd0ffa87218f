import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { SignSkillIndex, SkillCallOptions } from '@repertoire/skills-core/provider';
import type { Pointer } from '../form/pointer.ts';
import { readVerified } from '../provider/read-verified.ts';
import { openStore } from '../store/open-store.ts';
import type { SkillStore } from '../store/skill-store.ts';
import { putSignature } from './put-signature.ts';
import { readPointer, swapPointer } from './swap-pointer.ts';

/** Options of {@link rollbackSkills}. */
export interface RollbackSkillsOptions extends SkillCallOptions {
  /** Prefix of the keys. @default '' */
  readonly prefix?: string | undefined;
  /** Id of a kept release, or its first characters. @default the one before */
  readonly to?: string | undefined;
  /**
   * Signs the earlier release again with the next number, because readers that verify signatures
   * reject its old one.
   * @default nothing is signed
   */
  readonly signIndex?: SignSkillIndex | undefined;
}

const knownOptions: OptionRules<RollbackSkillsOptions> = {
  prefix: 'string',
  to: 'string',
  signIndex: '()',
  signal: '{}',
};

/** Result of {@link rollbackSkills}. */
export interface RolledBackSkills {
  /** Id of the release that is now current. */
  readonly release: string;
  /** Id of the release that was current. Another rollback leads back to it. */
  readonly replaced: string;
}

/**
 * Makes an earlier release current again, by one write of the pointer. Its files still exist,
 * because only {@link pruneSkills} removes files.
 *
 * @throws {SkillError} `invalid-options` if the pointer names no such release, or two;
 *   `source-unavailable` if the store does not answer or does not have it, or if somebody publishes
 *   at the same time; `digest-mismatch`
 * @example
 * ```ts
 * import { r2SkillStore, rollbackSkills, type R2BucketLike } from '@repertoire/skill-storage';
 *
 * export async function undo(bucket: R2BucketLike): Promise<string> {
 *   return (await rollbackSkills(r2SkillStore(bucket), { prefix: 'team' })).release;
 * }
 * ```
 */
export async function rollbackSkills(store: SkillStore, options: RollbackSkillsOptions = {}): Promise<RolledBackSkills> {
  assertKnownOptions('rollbackSkills', options, knownOptions);
  const { to, signIndex, signal } = options;
  const opened = openStore('rollbackSkills', store, options.prefix);
  const { keys } = opened;
  const found = await readPointer(opened, signal);
  const { pointer } = found;
  const named = to === undefined ? pointer?.previous.slice(0, 1) : pointer?.previous.filter((id) => to !== '' && id.startsWith(to));
  const [release, another] = named ?? [];
  if (pointer === null || release === undefined) throw noSuchRelease(pointer, to, keys.current);
  if (another !== undefined) {
    throw new SkillError(
      'invalid-options',
      `${keys.current} names 2 releases or more that start with ${JSON.stringify(to)}: ${named?.join(', ')}. Give more of the id.`,
      { path: keys.current },
    );
  }
  const key = keys.release(release);
  // The pointer must not name a release that no longer exists.
  if ((await readVerified(opened, { key, digest: release }, signal)) === null) {
    throw new SkillError('source-unavailable', `${key} is not in the store ${opened.label}. Publish those skills again instead.`, {
      path: key,
    });
  }
  if (signIndex !== undefined) await putSignature(opened, release, signIndex, signal);
  await swapPointer(opened, found, signal, (now) => {
    if (now?.release !== pointer.release) {
      throw new SkillError(
        'source-unavailable',
        `Somebody published to the store ${opened.label} meanwhile. Look again before you go back.`,
      );
    }
    return { release, previous: [pointer.release, ...pointer.previous.filter((id) => id !== release)] };
  });
  return { release, replaced: pointer.release };
}

function noSuchRelease(pointer: Pointer | null, to: string | undefined, path: string): SkillError {
  const there = pointer === null || pointer.previous.length === 0 ? 'There is none.' : `There are ${pointer.previous.join(', ')}.`;
  const what = to === undefined ? 'no release before the current one' : `no earlier release ${JSON.stringify(to)}`;
  return new SkillError('invalid-options', `${path} names ${what}. ${there}`, { path });
}
