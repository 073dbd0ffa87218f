import { createSkillVerifier, keySigner, verifyRelease, type PayloadSigner, type SkillVerifier } from '@repertoire/skill-trust';
import { releasePayloadType } from '../../../packages/skill-trust/src/release/release-document.ts';
import { statementPayloadType } from '../../../packages/skill-trust/src/statement/skill-statement.ts';
import type { FuzzTarget } from '../../../tools/fuzz/fuzz-target.ts';
import { bytesOf } from '../support/bytes.ts';
import { checkDiagnostics, checkSize } from '../support/orderly.ts';
import { signatureFiles } from '../support/signed-seeds.ts';

const release = {
  source: 'https://skills.example.com',
  release: 2,
  issued: '2029-12-01T00:00:00.000Z',
  expires: '2030-02-01T00:00:00.000Z',
  previous: 'a'.repeat(64),
  skills: [
    { name: 'billing', version: '1.0.0', digest: 'b'.repeat(64) },
    { name: 'faq', version: null, digest: 'c'.repeat(64) },
  ],
};
const at = new Date('2030-01-01T00:00:00Z');
let signing: Promise<{ readonly signer: PayloadSigner; readonly verifier: SkillVerifier }> | undefined;

/** Reading a release and a statement that an accepted signer signed: a publisher may be hostile, too. */
export const target: FuzzTarget = {
  form: 'json',
  words: [
    ...Object.keys(release),
    'name',
    'version',
    'digest',
    '2029-12-01T00:00:00.000Z',
    'b'.repeat(64),
    '_type',
    'subject',
    'predicate',
    'predicateType',
    'resources',
    'serialization',
    'method',
    'ignore_paths',
    'sha256',
    'algorithm',
    'https://skills.example.com',
    '\\u0000',
    '1e3',
    '-0',
    '"a":1,"a":2,',
  ],
  seeds: () => [...bytesOf(JSON.stringify(release)), ...signatureFiles.slice(0, 1).map(payloadOf)],
  budget: { freeMs: 60, msPerKib: 4 },
  async run(input) {
    const { signer, verifier } = await (signing ??= prepare());
    const signed = await signer.sign(releasePayloadType, input);
    const known = { source: release.source, signer: 'x', release: 1, digest: 'a'.repeat(64) };
    for (const state of [null, known]) {
      const result = await verifyRelease(signed, { verifier, source: release.source, known: state, at });
      if (result.verified) checkSize(result.release, input);
      else checkDiagnostics(result.problems, input);
    }
    const statement = await verifier.verifySignature(await signer.sign(statementPayloadType, input));
    if (!statement.verified) checkDiagnostics(statement.problems, input);
  },
};

/** A key of its own for each run: nothing that is reached depends on it. */
async function prepare(): Promise<{ readonly signer: PayloadSigner; readonly verifier: SkillVerifier }> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const der = Buffer.from(await crypto.subtle.exportKey('spki', publicKey)).toString('base64');
  const pem = `-----BEGIN PUBLIC KEY-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END PUBLIC KEY-----\n`;
  return { signer: keySigner({ key: privateKey, publicKey: pem }), verifier: createSkillVerifier({ publicKeys: [pem], at }) };
}

function payloadOf(bundle: string): Uint8Array {
  const { payload } = (JSON.parse(bundle) as { readonly dsseEnvelope: { readonly payload: string } }).dsseEnvelope;
  return new Uint8Array(Buffer.from(payload, 'base64'));
}
