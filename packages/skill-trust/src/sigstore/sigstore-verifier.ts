import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { bundleFromJSON } from '@sigstore/bundle';
import { SkillError } from '@repertoire/skills-core';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { signatureProblem, type SignatureProblem } from '../problem/signature-problem.ts';
import type { KeylessVerifier } from '../verify/skill-verifier-options.ts';
import { keylessSignerOf, type KeylessSigner } from '../verify/skill-signer.ts';

/** Options of {@link sigstoreVerifier}. */
export interface SigstoreVerifierOptions {
  /**
   * The trusted root of sigstore's services: the JSON of `trusted_root.json`, as text or parsed. It
   * names the certificate authorities, the transparency logs and their keys. Get it by sigstore's
   * own update (`@sigstore/tuf`, `cosign trusted-root`) and store it with the host.
   */
  readonly trustedRoot: unknown;
  /** How many entries of transparency logs are needed. @default 1 */
  readonly logEntries?: number | undefined;
  /** How many entries of certificate transparency logs are needed. @default 1 */
  readonly certificateLogEntries?: number | undefined;
}

const knownOptions: OptionRules<SigstoreVerifierOptions> = {
  trustedRoot: true,
  logEntries: 'number',
  certificateLogEntries: 'number',
};

/**
 * Verifies keyless signatures offline with sigstore's own packages: the Fulcio certificate, the
 * transparency log entry, and the signature at the time of the entry. Anybody can get such a
 * certificate, so pass rules with `identity` and `issuer` to the function that uses it.
 *
 * It runs on Node.js. Cloudflare Workers can load it, but it rejects every signature there: their
 * `crypto.verify` needs a digest that sigstore's packages do not name.
 *
 * @throws {SkillError} `invalid-options` for a trusted root that cannot be read
 * @example
 * ```ts
 * import { createSkillVerifier, type SkillVerifier } from '@repertoire/skill-trust';
 * import { sigstoreVerifier } from '@repertoire/skill-trust/sigstore';
 *
 * export function workflowVerifier(trustedRoot: string): SkillVerifier {
 *   return createSkillVerifier({ keyless: sigstoreVerifier({ trustedRoot }) });
 * }
 * ```
 */
export function sigstoreVerifier(options: SigstoreVerifierOptions): KeylessVerifier {
  assertKnownOptions('sigstoreVerifier', options, knownOptions);
  const { trustedRoot, logEntries = 1, certificateLogEntries = 1 } = options;
  const verifier = new Verifier(readTrustedRoot(trustedRoot), { tlogThreshold: logEntries, ctlogThreshold: certificateLogEntries });
  // Whatever sigstore's packages throw, the signature is not accepted.
  return async (bundle) => {
    try {
      // Sigstore's own policy takes identities as unanchored regular expressions.
      const { identity } = verifier.verify(toSignedEntity(bundleFromJSON(bundle)));
      return signerOf(identity?.subjectAlternativeName, identity?.extensions?.issuer);
    } catch (error) {
      return signatureProblem('keyless-invalid', `The keyless signature does not verify: ${reasonOf(error)}`);
    }
  };
}

function signerOf(identity: string | undefined, issuer: string | undefined): KeylessSigner | SignatureProblem {
  if (identity === undefined || identity === '' || issuer === undefined || issuer === '')
    return signatureProblem('keyless-invalid', 'The certificate of the keyless signature names no identity or no issuer.');
  return keylessSignerOf(identity, issuer);
}

function readTrustedRoot(value: unknown): ReturnType<typeof toTrustMaterial> {
  try {
    const root = TrustedRoot.fromJSON(typeof value === 'string' ? (JSON.parse(value) as unknown) : value);
    if (root.certificateAuthorities.length === 0 || root.tlogs.length === 0) throw new Error('it names no certificate authority or no log');
    return toTrustMaterial(root);
  } catch (error) {
    throw new SkillError('invalid-options', `The trusted root cannot be read: ${reasonOf(error)}. Give the JSON of trusted_root.json.`, {
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return [code, message].filter((part) => typeof part === 'string' && part !== '').join(': ') || 'for an unknown reason';
}
