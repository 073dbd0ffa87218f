import { SkillError } from '@repertoire/skills-core';
import { concatBytes, SizedCache } from '@repertoire/skills-core/internal';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { parseBundle, type SignatureBundle } from '../bundle/parse-bundle.ts';
import { preAuthenticationEncoding } from '../bundle/pre-authentication-encoding.ts';
import type { Bytes } from '../encoding/bytes.ts';
import { verifyBytes } from '../keys/verify-bytes.ts';
import { Refusal, refuse, show } from '../problem/refusal.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { checkValidity, verifyCertificatePath, type CertificatePath } from '../x509/certificate-path.ts';
import type { SkillSigner } from './skill-signer.ts';
import type { SkillVerifierOptions } from './skill-verifier-options.ts';
import { parsePublicKeys, parseRoots, publicKeyHint } from './trusted-keys.ts';

/** A signature that matches its payload and signer. Dates are not checked. */
export interface Authentication {
  readonly payload: Bytes;
  readonly signer: SkillSigner;
  /** Certificates whose validity is checked; `null` for keys and keyless signatures. */
  readonly path: CertificatePath | null;
}

/** Bytes of verified signatures and payloads that are cached. */
const cacheBytes = 8 * 1024 * 1024;
/**
 * Number of certificate chains that are cached: many skills share one, and each link costs a check.
 */
const cachedPaths = 64;

/**
 * Returns what verifies signatures against the host's roots and keys: each signature once, and
 * dates at each call.
 *
 * @throws {SkillError} `invalid-options` for roots and keys that cannot be used, and for none
 */
export function authenticator(
  {
    roots: rootTexts = [],
    publicKeys = [],
    keyless,
    at = () => new Date(),
    allowAuthorityAsSigner = false,
    allowAnyUsage = false,
  }: SkillVerifierOptions,
  maxBytes: number,
): (signature: Uint8Array, payloadType: string) => Promise<Authentication & { readonly key: string }> {
  const [roots, keys] = [parseRoots(rootTexts), parsePublicKeys(publicKeys)];
  if (roots.length === 0 && keys.length === 0 && keyless === undefined)
    throw new SkillError('invalid-options', 'createSkillVerifier needs something to trust. Give `roots`, `publicKeys` or `keyless`.');
  const paths = new SizedCache<CertificatePath>(cachedPaths);
  const authenticated = new SizedCache<Authentication>(cacheBytes);

  async function pathOf(chain: readonly Bytes[]): Promise<CertificatePath> {
    // Includes the lengths, so that the same bytes with other boundaries are another chain.
    const lengths = new TextEncoder().encode(`${chain.map(({ length }) => length).join()};`);
    const key = await sha256Hex(concatBytes([lengths, ...chain]));
    const known = paths.get(key);
    if (known !== undefined) return known;
    const rules = { allowAuthority: allowAuthorityAsSigner, allowAnyUsage };
    const path = await verifyCertificatePath(chain.map(parseCertificate), roots, rules);
    paths.set(key, path, 1);
    return path;
  }

  async function keyOf(hint: string): Promise<Uint8Array> {
    for (const key of keys) if ((await publicKeyHint(key)) === hint) return key;
    return refuse('key-unknown', `The signature names the public key ${hint}, which the host did not give.`);
  }

  async function authenticate(bundle: SignatureBundle, payloadType: string): Promise<Authentication> {
    const { material, payload, signature } = bundle;
    if (bundle.payloadType !== payloadType)
      refuse('payload-type', `The signed payload is of the type ${show(bundle.payloadType)}, not ${payloadType}.`);
    if (material.kind === 'keyless') {
      if (keyless === undefined)
        return refuse(
          'keyless-unsupported',
          'The signature is keyless. Give `keyless`, such as the one of @repertoire/skill-trust/sigstore.',
        );
      const signer = await keyless(material.json);
      if ('code' in signer) throw new Refusal(signer);
      return { payload, signer, path: null };
    }
    const expectSignature = async (publicKey: Uint8Array): Promise<void> => {
      if (!(await verifyBytes(publicKey, preAuthenticationEncoding(payloadType, payload), signature)))
        refuse('signature-invalid', 'The signature does not belong to the payload and the signer. One of them was changed.');
    };
    if (material.kind === 'key') {
      const hint = 'hint' in material ? material.hint : await sha256Hex(material.pem);
      await expectSignature(await keyOf(hint));
      return { payload, signer: Object.freeze({ kind: 'key', id: `key:${hint}`, hint }), path: null };
    }
    const path = await pathOf(material.certificates);
    await expectSignature(path[0].publicKey);
    return { payload, signer: await certificateSignerOf(path), path };
  }

  return async (signature, payloadType) => {
    if (signature.length > maxBytes)
      refuse('bundle-too-large', `The signature file has ${signature.length} bytes; the limit is ${maxBytes} (maxSignatureBytes).`);
    const key = `${payloadType} ${await sha256Hex(signature)}`;
    let authentication = authenticated.get(key);
    if (authentication === undefined) {
      authentication = await authenticate(parseBundle(signature), payloadType);
      authenticated.set(key, authentication, authentication.payload.length + signature.length);
    }
    if (authentication.path !== null) {
      const now = typeof at === 'function' ? at() : at;
      checkValidity(authentication.path, now === 'signer-not-before' ? authentication.path[0].notBefore : now.getTime());
    }
    return { ...authentication, key };
  };
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
