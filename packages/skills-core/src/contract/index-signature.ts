/**
 * Name of the file with the signature of a skill, in its folder, where the host does not say
 * otherwise. Sources that serve verified skills give it by its name and do not list it, so whoever
 * copies skills asks for it.
 */
export const skillSignatureFile = 'skill.oms.sig';

/** An index that lists skills by digests: of HTTP discovery, or a release of a storage. */
export interface SkillIndexDigest {
  /** SHA-256 of the bytes of the index, in lower-case hex. */
  readonly digest: string;
}

/**
 * Signs an index that is being published. `indexSigner` of `@repertoire/skill-trust` makes one.
 *
 * @returns the bytes of the signature, which are published beside the index
 */
export type SignSkillIndex = (index: SkillIndexDigest) => Promise<Uint8Array>;

/** What a source has as its index. */
export interface SkillIndexToVerify extends SkillIndexDigest {
  /** The bytes of the signature; `null` where there is none. */
  readonly signature: Uint8Array | null;
}

/** An index that may be used. */
export interface AcceptedSkillIndex {
  /** When it must be verified again, in milliseconds since 1970. `Infinity` for never. */
  readonly validUntil: number;
}

/**
 * Decides whether an index may be used. `indexVerifier` of `@repertoire/skill-trust` makes one. A
 * source calls it before it looks at the index, and uses nothing of an index that it rejects.
 *
 * @throws {SkillError} `signature-refused` with the reason
 */
export type VerifySkillIndex = (index: SkillIndexToVerify) => Promise<AcceptedSkillIndex>;
