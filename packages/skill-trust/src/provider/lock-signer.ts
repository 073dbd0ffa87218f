import type { LockedSigner } from '@repertoire/skills-core/internal';
import type { LockSignerOf } from '../lock/skill-lock.ts';
import { acceptsSigner, checkSignerRules, isForSkill, type SkillSignerRule } from '../policy/signer-rule.ts';
import { signatureProblem } from '../problem/signature-problem.ts';
import type { SkillVerifier } from '../verify/create-skill-verifier.ts';
import type { SkillSigner } from '../verify/skill-signer.ts';
import { readFilesToVerify } from './read-files-to-verify.ts';
import { refusalError } from './refusals.ts';

/**
 * Verifies the signature of each pinned skill, for `signerOf` of `createSkillLock` and
 * `diffSkillLock`. The lock then says who signed each skill. A skill without a signature is pinned
 * with `signer: null`.
 *
 * @param require which signers are accepted, as for `verifiedProvider`. By default every signer
 *   with a certificate or key that the verifier accepts
 * @throws {SkillError} `invalid-options` for rules that can never match. What it returns throws
 *   `signature-refused` for a signature that does not verify
 * @example
 * ```ts
 * import { createSkillVerifier } from '@repertoire/skill-trust';
 * import { lockSigner } from '@repertoire/skill-trust/provider';
 * import { createSkillLock, serializeSkillLock } from '@repertoire/skill-trust/lock';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function lockFile(provider: SkillProvider, rootPem: string): Promise<string> {
 *   return serializeSkillLock(await createSkillLock(provider, { signerOf: lockSigner(createSkillVerifier({ roots: [rootPem] })) }));
 * }
 * ```
 */
export function lockSigner(verifier: SkillVerifier, require: readonly SkillSignerRule[] = [{}]): LockSignerOf {
  checkSignerRules(require);
  return async (provider, { name, version }, { signal } = {}) => {
    const { signatureName } = verifier;
    const files = await readFilesToVerify(provider, name, { version, signatureName, signal });
    if (files === null || !files.has(signatureName)) return null;
    const result = await verifier.verifySkill(files);
    if (!result.verified) throw refusalError({ name, version }, result.problems[0], provider.label);
    const { signer } = result;
    if (require.some((rule) => isForSkill(rule, name) && acceptsSigner(rule, signer))) return lockedSignerOf(signer);
    const problem = signatureProblem('signer-not-accepted', `No rule of the host accepts ${signer.id} as the signer of this skill.`);
    throw refusalError({ name, version }, problem, provider.label);
  };
}

function lockedSignerOf(signer: SkillSigner): LockedSigner {
  const { id } = signer;
  switch (signer.kind) {
    case 'key':
      return { id, name: `key ${signer.hint}`, fingerprint: signer.hint };
    case 'keyless':
      return { id, name: `${signer.identity} (${signer.issuer})`, fingerprint: null };
    case 'certificate':
      return { id, name: signer.subject, fingerprint: signer.fingerprint };
  }
}
