// Anything added here is public API.
export type { SignatureProblem } from './problem/signature-problem.ts';
export { createSkillVerifier, type RefusedSignature, type SkillVerifier } from './verify/create-skill-verifier.ts';
export type { KeylessVerifier, SkillVerifierOptions } from './verify/skill-verifier-options.ts';
export type { SkillSigner } from './verify/skill-signer.ts';
export type { SkillFiles } from './verify/verify-files.ts';
export { keySigner, type PayloadSigner } from './sign/payload-signer.ts';
export { signSkill, type SignSkillOptions } from './sign/sign-skill.ts';
export { signerMemory, type InMemorySignerMemory, type SignerMemory } from './policy/signer-memory.ts';
export { indexSigner, type IndexSignerOptions, type LastRelease, type ReleaseLog } from './index-signature/index-signer.ts';
export { indexVerifier, type IndexVerifierOptions } from './index-signature/index-verifier.ts';
export { releaseMemory, type InMemoryReleaseMemory, type ReleaseMemory } from './index-signature/release-memory.ts';
export type { ReleasedSkill } from './release/release-document.ts';
export { signRelease, type SignedRelease } from './release/sign-release.ts';
export { verifyRelease, type ReleaseState, type VerifiedRelease, type VerifyReleaseOptions } from './release/verify-release.ts';
