import type { SignatureProblem } from '../problem/signature-problem.ts';
import type { KeylessSigner } from './skill-signer.ts';

/**
 * Verifies signatures with certificates of Fulcio. `@repertoire/skill-trust/sigstore` has one.
 *
 * @param bundle the parsed JSON of the signature file
 * @returns the signer of the envelope in the bundle, or why it was refused
 */
export type KeylessVerifier = (bundle: unknown) => Promise<KeylessSigner | SignatureProblem>;

/** Options of {@link createSkillVerifier}. */
export interface SkillVerifierOptions {
  /**
   * Root certificates that the host trusts: PEM text with one or more certificates, or the DER
   * bytes of one. A root in a signature is never trusted.
   * @default none
   */
  readonly roots?: readonly (string | Uint8Array)[] | undefined;
  /** Trusted public keys as PEM text, for signatures without certificates. @default none */
  readonly publicKeys?: readonly string[] | undefined;
  /** Verifies keyless signatures. @default they are refused */
  readonly keyless?: KeylessVerifier | undefined;
  /**
   * The time at which every certificate of a chain must be valid: a date, a clock, or
   * `signer-not-before`, the start of the validity of the signer's certificate. The format has no
   * time of signing, so with `signer-not-before` an expired (or stolen) certificate verifies
   * forever; the Python implementation works that way.
   * @default the current time
   */
  readonly at?: Date | (() => Date) | 'signer-not-before' | undefined;
  /**
   * Paths that a signer may exclude from a signature, in addition to `.git`, `.gitattributes`,
   * `.github` and `.gitignore`.
   * @default none
   */
  readonly allowIgnored?: readonly string[] | undefined;
  /** Accepts signers whose certificate is that of a certificate authority. @default false */
  readonly allowAuthorityAsSigner?: boolean | undefined;
  /** Accepts signers whose certificate excludes code signing, such as TLS. @default false */
  readonly allowAnyUsage?: boolean | undefined;
  /** Name of the file with the signature, at the top of the skill. @default 'skill.oms.sig' */
  readonly signatureName?: string | undefined;
  /** Maximum bytes of a signature file. @default 1048576 (1 MiB) */
  readonly maxSignatureBytes?: number | undefined;
  /** Maximum number of files in a signature. @default 10000 */
  readonly maxFiles?: number | undefined;
}
