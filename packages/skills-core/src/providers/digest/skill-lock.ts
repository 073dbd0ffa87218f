import type { SkillDigests } from './digest-of-skill.ts';

/** Who signed a skill, as it was verified when it was pinned. */
export interface LockedSigner {
  /** Identifies the signer. It stays the same when a certificate is renewed. */
  readonly id: string;
  /** The signer for people: the subject of a certificate, an identity, a key. */
  readonly name: string;
  /** SHA-256 of the certificate or key in lower-case hex; `null` for a keyless signature, whose certificate is another one each time. */
  readonly fingerprint: string | null;
}

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
