import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { SkillError } from '@repertoire/skills-core';
import type { VerifySkillIndex } from '@repertoire/skills-core/provider';
import { checkSignerRules } from '../policy/signer-rule.ts';
import { signatureProblem, type SignatureProblem } from '../problem/signature-problem.ts';
import {
  releaseRules,
  verifyRelease,
  type ReleaseState,
  type VerifiedRelease,
  type VerifyReleaseOptions,
} from '../release/verify-release.ts';
import { releaseMemory, type ReleaseMemory } from './release-memory.ts';

/** Options of {@link indexVerifier}. */
export interface IndexVerifierOptions extends Omit<VerifyReleaseOptions, 'known' | 'index' | 'at'> {
  /** Remembers the last accepted release. @default in memory, for the lifetime of this verifier */
  readonly releases?: ReleaseMemory | undefined;
  /** The clock. @default the current time */
  readonly now?: (() => Date) | undefined;
}

const knownOptions: OptionRules<IndexVerifierOptions> = {
  ...releaseRules,
  releases: '{}',
  now: '()',
};

/**
 * Decides whether the index of a source may be used, for `verifyIndex` of `httpSkillProvider` and
 * `storageSkillProvider`. It must be signed by a release document of an accepted signer that is for
 * exactly this index, has not expired, and is not older than the previous one.
 *
 * An index names everything by digests. So everything behind a verified index is what was
 * published, including skills without a signature of their own.
 *
 * @throws {SkillError} `invalid-options` for rules that can never match. What it returns throws
 *   `signature-refused` with one of the problem codes in its message
 * @example
 * ```ts
 * import { httpSkillProvider } from '@repertoire/skill-http';
 * import { createSkillVerifier, indexVerifier, type ReleaseMemory } from '@repertoire/skill-trust';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export function acme(publicKey: string, releases: ReleaseMemory): SkillProvider {
 *   const source = 'https://skills.acme.example';
 *   const verifyIndex = indexVerifier({ verifier: createSkillVerifier({ publicKeys: [publicKey] }), source, releases });
 *   return httpSkillProvider({ url: source, verifyIndex });
 * }
 * ```
 */
export function indexVerifier(given: IndexVerifierOptions): VerifySkillIndex {
  assertKnownOptions('indexVerifier', given, knownOptions);
  const { releases = releaseMemory(), now = () => new Date(), ...options } = given;
  const { source, require = [{}], expired } = options;
  checkSignerRules(require);
  const check = async (signature: Uint8Array, index: string, known: ReleaseState | null): Promise<VerifiedRelease> => {
    const result = await verifyRelease(signature, { ...options, known, index, at: now() });
    if (result.verified) return result;
    throw refused(source, result.problems[0]);
  };
  return async ({ digest, signature }) => {
    if (signature === null) throw refused(source, signatureProblem('unsigned', 'It has no signature.'));
    const known = await releases.read(source);
    const { state, release } = await check(signature, digest, known);
    // An index names its content by digests, so the release can be remembered now.
    if (known?.digest !== state.digest) {
      await releases.remember(state);
      // Two requests may have verified different releases against the same known one.
      const kept = await releases.read(source);
      if (kept?.digest !== state.digest) await check(signature, digest, kept);
    }
    return { validUntil: expired === 'warn' ? Number.POSITIVE_INFINITY : Date.parse(release.expires) };
  };
}

function refused(source: string, { code, message }: SignatureProblem): SkillError {
  return new SkillError('signature-refused', `The index of ${source} is refused (${code}): ${message}`);
}
