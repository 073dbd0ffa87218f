import type { SignerMemory } from '../policy/signer-memory.ts';
import type { SkillSignerRule } from '../policy/signer-rule.ts';
import type { VerifiedRelease } from '../release/verify-release.ts';
import type { SkillVerifierOptions } from '../verify/skill-verifier-options.ts';

/** Options of {@link verifiedProvider}. Those of `createSkillVerifier` say what is trusted. */
export interface VerifiedProviderOptions extends SkillVerifierOptions {
  /**
   * Which signers are accepted for which skills. A signed skill needs a rule that applies to its
   * name and accepts its signer.
   * @default every signer with a certificate or key that the verifier accepts; keyless signers need
   *   a rule
   */
  readonly require?: readonly SkillSignerRule[] | undefined;
  /**
   * What happens to skills without a signature, unless a rule names them in `skills`. A skill with
   * an invalid signature is always rejected.
   *
   * - `refuse`: they are not served.
   * - `untrusted`: they are served as untrusted, so nothing in them grants anything.
   * - `allow`: they are served with the trust of the source.
   *
   * @default 'refuse'
   */
  readonly unsigned?: 'refuse' | 'untrusted' | 'allow' | undefined;
  /** Remembers signers, and rejects another one until it is accepted. @default none */
  readonly signers?: SignerMemory | undefined;
  /**
   * The release that the skills must belong to, from `verifyRelease`. It prevents older versions,
   * which signatures alone cannot. A function is called for each request; while it returns `null`,
   * no skill is served.
   * @default skills of any age are served
   */
  readonly release?: VerifiedRelease | (() => VerifiedRelease | null) | undefined;
  /** Maximum bytes of a file, which is read completely. @default 33554432 (32 MiB) */
  readonly maxFileBytes?: number | undefined;
  /** Number of skills that are verified concurrently. @default 8 */
  readonly concurrency?: number | undefined;
}
