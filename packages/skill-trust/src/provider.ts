// Anything added here is public API.
export { verifiedProvider } from './provider/verified-provider.ts';
export type { VerifiedProviderOptions } from './provider/verified-provider-options.ts';
export { lockSigner } from './provider/lock-signer.ts';
export { listReleasedSkills } from './provider/list-released-skills.ts';
export { readFilesToVerify, type ReadFilesToVerifyOptions } from './provider/read-files-to-verify.ts';
