import type { SignerMemory } from '../policy/signer-memory.ts';
import type { SkillSignerRule } from '../policy/signer-rule.ts';
import type { VerifiedRelease } from '../release/verify-release.ts';
import type { SkillVerifierOptions } from '../verify/skill-verifier-options.ts';

/** Options of {@link verifiedProvider}; those of `createSkillVerifier` say what is trusted. */
export interface VerifiedProviderOptions extends SkillVerifierOptions {
  /**
   * Which signers are accepted for which skills. A signed skill needs one rule that is for its name and accepts its signer.
   * @default every signer with a certificate or key that the verifier accepts; keyless signers need a rule
   */
  readonly require?: readonly SkillSignerRule[] | undefined;
  /**
   * What happens to skills without a signature that no rule names by `skills`. A skill with a wrong signature is refused in any case.
   *
   * - `refuse`: they are not served.
   * - `untrusted`: they are served, and nothing in them grants anything.
   * - `allow`: they are served as the source has them.
   *
   * @default 'refuse'
   */
  readonly unsigned?: 'refuse' | 'untrusted' | 'allow' | undefined;
  /** Remembers the signer of each skill, and refuses another one until it is accepted. @default nothing is remembered */
  readonly signers?: SignerMemory | undefined;
  /**
   * The release that the skills must belong to, as `verifyRelease` returned it. It keeps older versions out, which signatures alone
   * cannot. A function is asked at each call; while it returns `null`, no skill is served.
   * @default skills of any age are served
   */
  readonly release?: VerifiedRelease | (() => VerifiedRelease | null) | undefined;
  /** The most bytes of a file; a file is read as a whole to be verified. @default 33554432 (32 MiB) */
  readonly maxFileBytes?: number | undefined;
  /** How many skills are verified at the same time. @default 8 */
  readonly concurrency?: number | undefined;
}
