/** The part of a verification that failed. */
export type SignatureStep = (typeof signatureProblems)[SignatureProblemCode];

/**
 * Codes of a {@link SignatureProblem} by the step that finds each. Added, never renamed. What each
 * means is said in `docs/reference/signature-problems.md`.
 */
export const signatureProblems = {
  unsigned: 'bundle',
  'bundle-too-large': 'bundle',
  'bundle-malformed': 'bundle',
  'bundle-unsupported': 'bundle',
  'certificate-malformed': 'certificate',
  'certificate-unsupported': 'certificate',
  'certificate-expired': 'chain',
  'certificate-not-yet-valid': 'chain',
  'certificate-usage': 'chain',
  'chain-untrusted': 'chain',
  'chain-invalid': 'chain',
  'keyless-unsupported': 'chain',
  'keyless-invalid': 'chain',
  'key-unknown': 'key',
  'key-unsupported': 'key',
  'signature-invalid': 'signature',
  'payload-type': 'signature',
  'statement-malformed': 'statement',
  'statement-unsupported': 'statement',
  'statement-too-large': 'statement',
  'subject-mismatch': 'statement',
  'file-name': 'statement',
  'file-duplicate': 'statement',
  'ignored-paths': 'statement',
  'file-changed': 'files',
  'file-missing': 'files',
  'file-extra': 'files',
  'file-irregular': 'files',
  'name-mismatch': 'policy',
  'version-mismatch': 'policy',
  'skill-md-invalid': 'policy',
  'signer-not-accepted': 'policy',
  'signer-changed': 'policy',
  'not-in-release': 'release',
  'release-mismatch': 'release',
  'release-malformed': 'release',
  'release-source': 'release',
  'release-index': 'release',
  'release-not-yet-valid': 'release',
  'release-expired': 'release',
  'release-rollback': 'release',
  'release-equivocation': 'release',
  'release-fork': 'release',
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

export function signatureProblem(code: SignatureProblemCode, message: string, path?: string): SignatureProblem {
  return { code, step: signatureProblems[code], message, ...(path !== undefined && { path }) };
}
