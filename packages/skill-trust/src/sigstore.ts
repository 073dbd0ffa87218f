// Anything added here is public API. It needs Node.js and sigstore's own packages.
export { sigstoreVerifier, type SigstoreVerifierOptions } from './sigstore/sigstore-verifier.ts';
export { keylessSigner, type KeylessSignerOptions } from './sigstore/keyless-signer.ts';
