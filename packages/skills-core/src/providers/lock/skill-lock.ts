import type { SkillCallOptions, SkillMetadata, SkillProvider } from '../../contract/skill-provider.ts';
import type { SkillDigests } from '../digest/digest-of-skill.ts';

/** Who signed a skill, as it was verified when it was pinned. */
export interface LockedSigner {
  /** Identifies the signer. It stays the same when a certificate is renewed. */
  readonly id: string;
  /** The signer for people: the subject of a certificate, an identity, a key. */
  readonly name: string;
  /** SHA-256 of the certificate or key in lower-case hex; `null` for a keyless signature, whose certificate is another one each time. */
  readonly fingerprint: string | null;
}

/**
 * Verifies who signed a skill. `lockSigner` of `@repertoire/skill-trust/provider` makes one.
 *
 * @returns `null` for a skill without a signature
 * @throws {SkillError} `signature-refused` for a signature that does not verify
 */
export type LockSignerOf = (provider: SkillProvider, skill: SkillMetadata, options?: SkillCallOptions) => Promise<LockedSigner | null>;

/** One pinned skill. Digests are SHA-256 in lower-case hex, see `digestOfSkill`. */
export interface LockedSkill extends SkillDigests {
  readonly name: string;
  readonly version: string | null;
  /** Label of the source that served it when it was pinned. For people: what is verified is what is served, whoever serves it. */
  readonly source: string;
  /** Who signed it; `null` for a skill without a signature. Left out where nobody verified signatures. */
  readonly signer?: LockedSigner | null | undefined;
}

/** Every skill of a provider, pinned: plain JSON, in the order of the listing. Keep it under version control and review its changes. */
export interface SkillLock {
  /** Version of this form. */
  readonly lockVersion: 1;
  readonly skills: readonly LockedSkill[];
}

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
