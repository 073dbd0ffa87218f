/** The part of a verification that failed. */
export type SignatureStep = keyof typeof signatureProblems;

/**
 * Every code of a {@link SignatureProblem}, below the step that finds it, with what it means. Codes are public API: they are added,
 * never renamed.
 */
export const signatureProblems = {
  bundle: {
    unsigned: 'There is no signature.',
    'bundle-too-large': 'The signature file is larger than its limit.',
    'bundle-malformed': 'The signature file is not the strict JSON of a bundle: a syntax error, an unknown or missing field, base64.',
    'bundle-unsupported': 'The signature file is of another kind or version.',
  },
  certificate: {
    'certificate-malformed': 'A certificate is not strict DER, or contradicts itself.',
    'certificate-unsupported': 'A certificate uses something that is not supported, such as an unknown critical extension.',
  },
  chain: {
    'certificate-expired': 'A certificate of the chain had expired at the time of verification.',
    'certificate-not-yet-valid': 'A certificate of the chain was not valid yet at the time of verification.',
    'certificate-usage': 'A certificate may not be used for this: an issuer that is no CA, a signer that may not sign code.',
    'chain-untrusted': 'The chain does not lead to a root that the host gave.',
    'chain-invalid': 'The chain is too long, out of order, or holds a certificate that it does not need.',
    'keyless-unsupported': 'The signature is a keyless one (Fulcio), and the host gave no verifier for those.',
    'keyless-invalid': 'The certificate or the transparency log entry of a keyless signature does not verify.',
  },
  key: {
    'key-unknown': 'The signature names a public key that the host did not give.',
    'key-unsupported': 'The key is of a kind, curve or size that is not supported.',
  },
  signature: {
    'signature-invalid': 'The signature does not belong to the payload and the key.',
    'payload-type': 'The signed payload is of another type than expected.',
  },
  statement: {
    'statement-malformed': 'The signed statement is not what the format prescribes.',
    'statement-unsupported': 'The signed statement is of another type or version, or uses another way to hash.',
    'statement-too-large': 'The signed statement lists more files than its limit.',
    'subject-mismatch': 'The digest of the subject is not the one of the listed files.',
    'file-name': 'The statement lists a file under a name that is not allowed, such as one with `..`.',
    'file-duplicate': 'The statement lists two files that are one on some file systems.',
    'ignored-paths': 'The signer excluded paths from the signature beyond the usual ones.',
  },
  files: {
    'file-changed': 'A file differs from the one that was signed.',
    'file-missing': 'A signed file is not there.',
    'file-extra': 'A file is there that was not signed.',
    'file-irregular': 'A path is a symbolic link or something else that is not a regular file.',
  },
  policy: {
    'name-mismatch': 'The source lists the skill under another name than the signed SKILL.md has.',
    'version-mismatch': 'The source lists the skill under another version than the signed SKILL.md has.',
    'skill-md-invalid': 'The signed SKILL.md cannot be read as a skill.',
    'signer-not-accepted': 'The signature is valid, and no rule of the host accepts the signer for this skill.',
    'signer-changed': 'Another signer was remembered, or the skill was signed before and is not any more.',
  },
  release: {
    'not-in-release': 'The skill is not in the release, or in another version.',
    'release-mismatch': 'The skill has other files than the release says.',
    'release-malformed': 'The release document is not what the format prescribes.',
    'release-source': 'The release document belongs to another source.',
    'release-expired': 'The release document has expired: a newer one is missing or held back.',
    'release-rollback': 'The release is older than the one that was accepted before.',
    'release-equivocation': 'There are two releases of one number with different content.',
    'release-fork': 'The release does not continue the one that was accepted before.',
    'release-gap': 'Releases between the accepted one and this one are missing.',
  },
} as const;

/** One of the documented codes; see {@link signatureProblems}. */
export type SignatureProblemCode = { [Step in SignatureStep]: keyof (typeof signatureProblems)[Step] }[SignatureStep];

/** One reason why a signature, a file or a release was refused. It is data: nothing is thrown for what an attacker can cause. */
export interface SignatureProblem {
  /** What is wrong, for programs. */
  readonly code: SignatureProblemCode;
  /** The part of the verification that failed. */
  readonly step: SignatureStep;
  /** What is wrong, for people, with the value that it is about. */
  readonly message: string;
  /** The file that it is about. */
  readonly path?: string | undefined;
}

/** Makes a problem. The step comes from the table. */
export function signatureProblem(code: SignatureProblemCode, message: string, path?: string): SignatureProblem {
  const step = (Object.keys(signatureProblems) as SignatureStep[]).find((candidate) => code in signatureProblems[candidate]) ?? 'policy';
  return { code, step, message, ...(path !== undefined && { path }) };
}
