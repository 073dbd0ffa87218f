import { concatBytes, type SizedCache } from '@repertoire/skills-core/internal';
import { sha256Hex } from '@repertoire/skills-core/provider';
import type { SignatureBundle } from '../bundle/parse-bundle.ts';
import { preAuthenticationEncoding } from '../bundle/pre-authentication-encoding.ts';
import type { Bytes } from '../encoding/bytes.ts';
import { verifyBytes } from '../keys/verify-bytes.ts';
import { Refusal, refuse, show } from '../problem/refusal.ts';
import { parseCertificate, type Certificate } from '../x509/certificate.ts';
import { verifyCertificatePath, type CertificatePath, type SignerCertificateRules } from '../x509/certificate-path.ts';
import type { SkillSigner } from './skill-signer.ts';
import type { KeylessVerifier } from './skill-verifier-options.ts';
import { publicKeyHint } from './trusted-keys.ts';

export interface TrustAnchors {
  readonly roots: readonly Certificate[];
  readonly publicKeys: readonly Uint8Array[];
  readonly keyless: KeylessVerifier | undefined;
  readonly rules: SignerCertificateRules;
  /** Verified paths. Many skills share a chain, and each link costs a signature check. */
  readonly paths: SizedCache<CertificatePath>;
}

/** A signature that matches its payload and signer. Dates are not checked. */
export interface Authentication {
  readonly payload: Bytes;
  readonly signer: SkillSigner;
  /** Certificates whose validity is checked; `null` for keys and keyless signatures. */
  readonly path: CertificatePath | null;
}

export async function authenticate(bundle: SignatureBundle, payloadType: string, anchors: TrustAnchors): Promise<Authentication> {
  const { material, payload, signature } = bundle;
  if (bundle.payloadType !== payloadType)
    refuse('payload-type', `The signed payload is of the type ${show(bundle.payloadType)}, not ${payloadType}.`);
  if (material.kind === 'keyless') return { payload, signer: await verifyKeyless(material.json, anchors.keyless), path: null };
  const signed = preAuthenticationEncoding(payloadType, payload);
  if (material.kind === 'key') {
    const hint = 'hint' in material ? material.hint : await sha256Hex(material.pem);
    const publicKey = await findKey(hint, anchors.publicKeys);
    await expectSignature(publicKey, signed, signature);
    return { payload, signer: Object.freeze({ kind: 'key', id: `key:${hint}`, hint }), path: null };
  }
  const path = await verifyPathOnce(material.certificates, anchors);
  await expectSignature(path[0].publicKey, signed, signature);
  return { payload, signer: await certificateSignerOf(path), path };
}

async function verifyPathOnce(chain: readonly Bytes[], { roots, rules, paths }: TrustAnchors): Promise<CertificatePath> {
  // Includes the lengths, so that the same bytes with other boundaries are another chain.
  const lengths = new TextEncoder().encode(`${chain.map(({ length }) => length).join()};`);
  const key = await sha256Hex(concatBytes([lengths, ...chain]));
  const known = paths.get(key);
  if (known !== undefined) return known;
  const path = await verifyCertificatePath(chain.map(parseCertificate), roots, rules);
  paths.set(key, path, 1);
  return path;
}

async function expectSignature(publicKey: Uint8Array, signed: Bytes, signature: Uint8Array): Promise<void> {
  if (!(await verifyBytes(publicKey, signed, signature)))
    refuse('signature-invalid', 'The signature does not belong to the payload and the signer. One of them was changed.');
}

async function findKey(hint: string, keys: readonly Uint8Array[]): Promise<Uint8Array> {
  for (const key of keys) if ((await publicKeyHint(key)) === hint) return key;
  return refuse('key-unknown', `The signature names the public key ${hint}, which the host did not give.`);
}

async function verifyKeyless(json: unknown, verifier: KeylessVerifier | undefined): Promise<SkillSigner> {
  if (verifier === undefined)
    return refuse('keyless-unsupported', 'The signature is keyless. Give `keyless`, such as the one of @repertoire/skill-trust/sigstore.');
  const result = await verifier(json);
  if ('code' in result) throw new Refusal(result);
  return result;
}

async function certificateSignerOf(path: CertificatePath): Promise<SkillSigner> {
  const [{ subject, issuer, serialNumber, raw }] = path;
  // Without a subject, all holders would be the same signer.
  if (subject === '') refuse('certificate-unsupported', 'The certificate of the signer has no subject.');
  const root = path.at(-1) ?? path[0];
  return Object.freeze({
    kind: 'certificate',
    // Authorities of different roots may issue certificates with the same name.
    id: `certificate:${await sha256Hex(root.raw)}:${subject}`,
    subject,
    issuer,
    serialNumber,
    fingerprint: await sha256Hex(raw),
    root: root.subject,
    validUntil: new Date(Math.min(...path.map(({ notAfter }) => notAfter))).toISOString(),
  });
}
