import type { SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import type { LockedSigner } from '@repertoire/skills-core/internal';
import type { SkillCallOptions } from '@repertoire/skills-core/provider';

/**
 * Verifies who signed a skill. `lockSigner` of `@repertoire/skill-trust/provider` makes one.
 *
 * @returns `null` for a skill without a signature
 * @throws {SkillError} `signature-refused` for a signature that does not verify
 */
export type LockSignerOf = (provider: SkillProvider, skill: SkillMetadata, options?: SkillCallOptions) => Promise<LockedSigner | null>;

/** How a skill is named in messages: `billing@1.2.0`. */
export function lockedSkillTitle({ name, version }: { readonly name: string; readonly version?: string | null | undefined }): string {
  return printable(version === undefined || version === null ? name : `${name}@${version}`);
}

/** Text of a source that may be hostile, safe on one line of a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}

/** What tells the entries of a lock apart. */
export function lockedSkillKey({ name, version }: { readonly name: string; readonly version: string | null }): string {
  return JSON.stringify([name, version]);
}
