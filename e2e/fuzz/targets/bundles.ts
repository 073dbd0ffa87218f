import { createSkillVerifier } from '@repertoire/skill-trust';
import type { FuzzTarget } from '../../../tools/fuzz/fuzz-target.ts';
import { bytesOf } from '../support/bytes.ts';
import { checkDiagnostics } from '../support/orderly.ts';
import { publicKeyPem, rootPem, signatureFiles, validAt } from '../support/signed-seeds.ts';

const authentic = new Set(signatureFiles.map((text) => JSON.stringify(parts(JSON.parse(text)))));

/** Reading a signature file, with its certificates. Whatever verifies says what was signed, and nothing else. */
export const target: FuzzTarget = {
  form: 'json',
  words: [
    'mediaType',
    'verificationMaterial',
    'dsseEnvelope',
    'payload',
    'payloadType',
    'signatures',
    'sig',
    'keyid',
    'x509CertificateChain',
    'certificates',
    'rawBytes',
    'publicKey',
    'hint',
    'tlogEntries',
    'certificate',
    'timestampVerificationData',
    '\u0030\u0082',
    '\u0030\u0080',
    '\u0002\u0001',
    '\u0006\u0003U\u001d',
    'AAAA',
    '==',
  ],
  seeds: () => bytesOf(...signatureFiles),
  budget: { freeMs: 60, msPerKib: 4 },
  async run(input) {
    const verifier = createSkillVerifier({ roots: [rootPem], publicKeys: [publicKeyPem], at: validAt });
    const result = await verifier.verifySignature(input);
    if (!result.verified) return checkDiagnostics(result.problems, input);
    const text = new TextDecoder().decode(input);
    if (!authentic.has(JSON.stringify(parts(JSON.parse(text))))) throw new Error(`A signature file verifies that nobody signed: ${text}`);
  },
};

/** What a signature covers. An ECDSA signature has a second form that is as good; the payload cannot be another. */
function parts(bundle: unknown): unknown {
  const { payload, payloadType } = (bundle as { readonly dsseEnvelope: { readonly payload: string; readonly payloadType: string } })
    .dsseEnvelope;
  return [payload, payloadType];
}
