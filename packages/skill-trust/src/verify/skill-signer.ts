/** Signed with a certificate whose chain leads to a root of the host. */
export interface CertificateSigner {
  readonly kind: 'certificate';
  /** The root's digest and the subject, the same when the certificate is renewed. */
  readonly id: string;
  /** Name of the holder: `C=US, O=Example, CN=Skill signing`. */
  readonly subject: string;
  /** Name of the authority that issued the certificate. */
  readonly issuer: string;
  /** Serial number in hex. */
  readonly serialNumber: string;
  /** SHA-256 of the certificate in lower-case hex. A renewed certificate has another one. */
  readonly fingerprint: string;
  /** Name of the root of the host that the chain leads to. */
  readonly root: string;
  /** When the chain stops being valid, as an ISO date. */
  readonly validUntil: string;
}

/** Signed with a key whose public half the host gave. */
export interface KeySigner {
  readonly kind: 'key';
  /** Identifies the signer: the key's hint. */
  readonly id: string;
  /** SHA-256 of the public key as PEM text, in lower-case hex. */
  readonly hint: string;
}

/** Signed with a certificate that Fulcio gave to an identity, such as a workflow. */
export interface KeylessSigner {
  readonly kind: 'keyless';
  /** Identifies the signer: issuer and identity. */
  readonly id: string;
  /** Who signed: a mail address, or the URL of a workflow. */
  readonly identity: string;
  /** Who confirmed the identity: the URL of the identity provider. */
  readonly issuer: string;
}

/** Who signed a skill, as it was verified. */
export type SkillSigner = CertificateSigner | KeySigner | KeylessSigner;

/**
 * Makes the signer of a keyless signature, for verifiers of those.
 */
export function keylessSignerOf(identity: string, issuer: string): KeylessSigner {
  // As JSON, so that no identity can contain the separator.
  return Object.freeze({ kind: 'keyless', id: `keyless:${JSON.stringify([issuer, identity])}`, identity, issuer });
}
