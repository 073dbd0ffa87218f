/** The part of a verification that failed. */
export type SignatureStep = (typeof signatureProblems)[SignatureProblemCode];

/** Codes of a {@link SignatureProblem} by the step that finds each. Added, never renamed. */
export const signatureProblems = {
  /** There is no signature. */
  unsigned: 'bundle',
  /** The signature file is larger than its limit. */
  'bundle-too-large': 'bundle',
  /** The file is not the strict JSON of a bundle. */
  'bundle-malformed': 'bundle',
  /** The signature file is of another kind or version. */
  'bundle-unsupported': 'bundle',
  /** A certificate is not strict DER, or contradicts itself. */
  'certificate-malformed': 'certificate',
  /** A certificate uses something that is not supported, such as an unknown critical extension. */
  'certificate-unsupported': 'certificate',
  /** A certificate of the chain had expired at the time of verification. */
  'certificate-expired': 'chain',
  /** A certificate of the chain was not valid yet at the time of verification. */
  'certificate-not-yet-valid': 'chain',
  /** A certificate may not be used for this: an issuer that is no CA, a signer not for code. */
  'certificate-usage': 'chain',
  /** The chain does not lead to a root that the host gave. */
  'chain-untrusted': 'chain',
  /** The chain is too long, out of order, or holds a certificate that it does not need. */
  'chain-invalid': 'chain',
  /** The signature is a keyless one (Fulcio), and the host gave no verifier for those. */
  'keyless-unsupported': 'chain',
  /** The certificate or the transparency log entry of a keyless signature does not verify. */
  'keyless-invalid': 'chain',
  /** The signature names a public key that the host did not give. */
  'key-unknown': 'key',
  /** The key is of a kind, curve or size that is not supported. */
  'key-unsupported': 'key',
  /** The signature does not belong to the payload and the key. */
  'signature-invalid': 'signature',
  /** The signed payload is of another type than expected. */
  'payload-type': 'signature',
  /** The signed statement is not what the format prescribes. */
  'statement-malformed': 'statement',
  /** The signed statement is of another type or version, or uses another way to hash. */
  'statement-unsupported': 'statement',
  /** The signed statement lists more files than its limit. */
  'statement-too-large': 'statement',
  /** The digest of the subject is not the one of the listed files. */
  'subject-mismatch': 'statement',
  /** The statement lists a file under a name that is not allowed, such as one with `..`. */
  'file-name': 'statement',
  /** The statement lists two files that are one on some file systems. */
  'file-duplicate': 'statement',
  /** The signer excluded paths from the signature beyond the usual ones. */
  'ignored-paths': 'statement',
  /** A file differs from the one that was signed. */
  'file-changed': 'files',
  /** A signed file is not there. */
  'file-missing': 'files',
  /** A file is there that was not signed. */
  'file-extra': 'files',
  /** A path is a symbolic link or something else that is not a regular file. */
  'file-irregular': 'files',
  /** The source lists the skill under another name than the signed SKILL.md has. */
  'name-mismatch': 'policy',
  /** The source lists the skill under another version than the signed SKILL.md has. */
  'version-mismatch': 'policy',
  /** The signed SKILL.md cannot be read as a skill. */
  'skill-md-invalid': 'policy',
  /** The signature is valid, and no rule of the host accepts the signer for this skill. */
  'signer-not-accepted': 'policy',
  /** Another signer was remembered, or the skill was signed before and is not any more. */
  'signer-changed': 'policy',
  /** The skill is not in the release, or in another version. */
  'not-in-release': 'release',
  /** The skill has other files than the release says. */
  'release-mismatch': 'release',
  /** The release document is not what the format prescribes. */
  'release-malformed': 'release',
  /** The release document belongs to another source. */
  'release-source': 'release',
  /** The release document is for another index than the source has. */
  'release-index': 'release',
  /** The release document says that it was made in the future. */
  'release-not-yet-valid': 'release',
  /** The release document has expired: a newer one is missing or held back. */
  'release-expired': 'release',
  /** The release is older than the one that was accepted before. */
  'release-rollback': 'release',
  /** There are two releases of one number with different content. */
  'release-equivocation': 'release',
  /** The release does not continue the one that was accepted before. */
  'release-fork': 'release',
  /** Releases between the accepted one and this one are missing. */
  'release-gap': 'release',
} as const;

/** One of the documented codes; see {@link signatureProblems}. */
export type SignatureProblemCode = keyof typeof signatureProblems;

/** Why a signature, a file or a release was rejected, as data. */
export interface SignatureProblem {
  /** What is wrong, for programs. */
  readonly code: SignatureProblemCode;
  /** The part of the verification that failed. */
  readonly step: SignatureStep;
  /** What is wrong, for people, with the offending value. */
  readonly message: string;
  /** The file that it is about. */
  readonly path?: string | undefined;
}

/** Creates a problem. The step comes from the table. */
export function signatureProblem(code: SignatureProblemCode, message: string, path?: string): SignatureProblem {
  return { code, step: signatureProblems[code], message, ...(path !== undefined && { path }) };
}
