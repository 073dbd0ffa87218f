import { SkillError, type SkillLock, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import {
  assertKnownOptions,
  bytesToCopy,
  digestsOfSkill,
  type LockedPlugin,
  type LockedSkill,
  type OptionRules,
} from '@repertoire/skills-core/internal';
import { forEachBounded, readListing, type SkillCallOptions } from '@repertoire/skills-core/provider';
import { lockedSkillTitle, type LockSignerOf } from './skill-lock.ts';

/** Options of {@link createSkillLock} and of what compares with it. */
export interface CreateSkillLockOptions extends SkillCallOptions {
  /** Verifies who signed each skill, for the lock. @default the lock has no signers */
  readonly signerOf?: LockSignerOf | undefined;
  /** The plugins, as `pinnedPlugins` of `@repertoire/agent-plugins` reads them. @default none */
  readonly plugins?: readonly LockedPlugin[] | undefined;
}

const concurrency = 8;

const knownOptions: OptionRules<CreateSkillLockOptions> = {
  signerOf: '()',
  plugins: '[]',
  signal: '{}',
};

/**
 * Pins every skill that a provider lists, in every version: reads level 1, the body and all files
 * of each. Write it to a file with `serializeSkillLock`.
 *
 * If anything cannot be read, it rejects, so that no skill is missing from a lock by accident.
 *
 * @throws {SkillError} `source-unavailable` if the listing is not complete, or a skill changes
 *   while it is read; what the provider rejects with; `signature-refused` of `signerOf`
 * @example
 * ```ts
 * import { createSkillLock, serializeSkillLock } from '@repertoire/skill-trust/lock';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function lockFile(provider: SkillProvider): Promise<string> {
 *   return serializeSkillLock(await createSkillLock(provider));
 * }
 * ```
 */
export async function createSkillLock(provider: SkillProvider, options: CreateSkillLockOptions = {}): Promise<SkillLock> {
  assertKnownOptions('createSkillLock', options, knownOptions);
  const { signal, signerOf, plugins = [] } = options;
  const listing = await readListing(provider, { signal });
  if (!listing.complete) {
    const why =
      listing.diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'The source says that its list is not complete.';
    throw new SkillError('source-unavailable', `Not all skills of "${provider.label}" can be pinned or compared now. ${why}`, {
      source: provider.label,
    });
  }
  const skills: LockedSkill[] = [];
  const lock = async (skill: SkillMetadata, index: number): Promise<void> => {
    skills[index] = {
      ...(await lockSkill(provider, skill, signal)),
      ...(signerOf !== undefined && { signer: await signerOf(provider, skill, { signal }) }),
    };
  };
  await forEachBounded(listing.skills, concurrency, lock, signal);
  return { lockVersion: 1, skills, ...(plugins.length > 0 && { plugins }) };
}

async function lockSkill(provider: SkillProvider, { name, version }: SkillMetadata, signal: AbortSignal | undefined): Promise<LockedSkill> {
  const skill = await provider.getSkill(name, { version, signal, withBytes: bytesToCopy });
  if (skill === null || skill.version !== version) {
    throw new SkillError(
      'source-unavailable',
      `Skill ${lockedSkillTitle({ name, version })} was listed and could not be fetched. It may have changed in the meantime; try again.`,
      { skill: name, source: provider.label },
    );
  }
  return { name, version, source: skill.origin?.label ?? provider.label, ...(await digestsOfSkill(provider, name, skill, { signal })) };
}
