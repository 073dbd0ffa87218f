import { SkillError } from '@repertoire/skills-core';
import { preAuthenticationEncoding } from '../bundle/pre-authentication-encoding.ts';
import { writeBundle, type WrittenMaterial } from '../bundle/write-bundle.ts';
import { verifyBytes } from '../keys/verify-bytes.ts';
import { catchRefusal } from '../problem/refusal.ts';
import { parsePublicKeys, parseRoots, publicKeyHint } from '../verify/trusted-keys.ts';
import { importPrivateKey, publicKeyOf, signBytes } from './private-key.ts';

/** Signs payloads: with a certificate, a key, or keyless. */
export interface PayloadSigner {
  /** Signs a payload and returns the bytes of a signature file. */
  sign(payloadType: string, payload: Uint8Array): Promise<Uint8Array>;
}

/** Options of {@link keySigner}. */
export interface KeySignerOptions {
  /** The private key: PKCS #8 or SEC 1 in PEM text, or a key of Web Crypto. */
  readonly key: string | CryptoKey;
  /**
   * The certificates of the key and its issuers, in this order. The root may be left out.
   * @default none: whoever has the public key can verify, without a name and an expiry
   */
  readonly certificates?: string | readonly (string | Uint8Array)[] | undefined;
  /**
   * The public key in PEM text, for a key without certificates. @default made from the private key,
   * if it is extractable
   */
  readonly publicKey?: string | undefined;
}

/**
 * Signs with a private key, and with its certificates if there are any. With certificates, everyone
 * who trusts the root of the chain can verify, so prefer them.
 *
 * @throws {SkillError} `invalid-options` for a key or certificate that cannot be used, at the call
 *   of this function or of `sign`
 * @example
 * ```ts
 * import { keySigner, signSkill, type SkillFiles } from '@repertoire/skill-trust';
 *
 * export async function sign(files: SkillFiles, keyPem: string, chainPem: string): Promise<Uint8Array> {
 *   return await signSkill(files, { name: 'billing', signer: keySigner({ key: keyPem, certificates: chainPem }) });
 * }
 * ```
 */
export function keySigner({ key, certificates, publicKey }: KeySignerOptions): PayloadSigner {
  const chain = certificates === undefined ? undefined : parseRoots(typeof certificates === 'string' ? [certificates] : certificates);
  const [certificate] = chain ?? [];
  if (chain !== undefined && certificate === undefined)
    throw new SkillError('invalid-options', 'keySigner got `certificates` without a certificate. Give that of the key first.');
  const given = publicKey === undefined ? undefined : parsePublicKeys([publicKey])[0];
  return {
    async sign(payloadType, payload) {
      const privateKey = await importPrivateKey(key);
      if (chain !== undefined && certificate !== undefined)
        return await signWith(privateKey, certificate.publicKey, { certificates: chain.map(({ raw }) => raw) }, payloadType, payload);
      const own = given ?? (await publicKeyOf(privateKey));
      return await signWith(privateKey, own, { hint: await publicKeyHint(own) }, payloadType, payload);
    },
  };
}

async function signWith(
  key: CryptoKey,
  publicKey: Uint8Array,
  material: WrittenMaterial,
  payloadType: string,
  payload: Uint8Array,
): Promise<Uint8Array> {
  const signed = preAuthenticationEncoding(payloadType, payload);
  const signature = await signBytes(key, signed);
  // Detects an invalid signature before readers do.
  const result = await catchRefusal(async () => await verifyBytes(publicKey, signed, signature));
  if (typeof result === 'object') throw new SkillError('invalid-options', `Nobody could verify the signature: ${result.message}`);
  if (!result)
    throw new SkillError(
      'invalid-options',
      'The private key does not belong to the certificate or public key. Give the two that belong together.',
    );
  return writeBundle(material, payloadType, payload, signature);
}
