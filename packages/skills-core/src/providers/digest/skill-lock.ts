import type { SkillDigests } from './digest-of-skill.ts';

/** Who signed a skill, as it was verified when it was pinned. */
export interface LockedSigner {
  /** Identifies the signer. It stays the same when a certificate is renewed. */
  readonly id: string;
  /** The signer for people: the subject of a certificate, an identity, a key. */
  readonly name: string;
  /** SHA-256 of the certificate or key in hex; `null` for a keyless signature. */
  readonly fingerprint: string | null;
}

/** One pinned skill. Digests are SHA-256 in lower-case hex, see `digestOfSkill`. */
export interface LockedSkill extends SkillDigests {
  readonly name: string;
  readonly version: string | null;
  /** Label of the source when pinned, for people only. */
  readonly source: string;
  /** Who signed it; `null` for nobody. Left out where nobody verified. */
  readonly signer?: LockedSigner | null | undefined;
}

/** One pinned plugin. Digests are SHA-256 in lower-case hex. */
export interface LockedPlugin {
  readonly name: string;
  readonly version: string | null;
  /** Label of the source that served it when it was pinned. */
  readonly source: string;
  /** Sums up `files`, as the digest of a skill does. */
  readonly digest: string;
  /** The digest of every file of the plugin: manifest, servers, programs, skills. */
  readonly files: Readonly<Record<string, string>>;
  /** What each server starts or connects to, as one line, by its name. */
  readonly servers: Readonly<Record<string, string>>;
}

/** Every skill of a provider, pinned, as plain JSON for version control. */
export interface SkillLock {
  /** Version of this form. */
  readonly lockVersion: 1;
  readonly skills: readonly LockedSkill[];
  /** The plugins that the skills come from. Left out where there are none. */
  readonly plugins?: readonly LockedPlugin[] | undefined;
}
