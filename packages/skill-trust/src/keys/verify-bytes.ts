import { asBytes } from '../encoding/bytes.ts';
import { Refusal, refuse } from '../problem/refusal.ts';
import { ecdsaSignatureFromDer } from './ecdsa-signature.ts';
import { keyTypeOf, type HashName } from './key-type.ts';

/**
 * Whether a signature matches the data and the key. The key determines the algorithm: ECDSA with
 * the hash of the curve, Ed25519, or RSASSA-PKCS1-v1_5 with SHA-256.
 *
 * @param hash overrides the hash of the key; certificates name one
 */
export async function verifyBytes(publicKey: Uint8Array, data: Uint8Array, signature: Uint8Array, hash?: HashName): Promise<boolean> {
  const type = keyTypeOf(publicKey);
  const { subtle } = crypto;
  if (type.kind === 'EC') {
    const fixed = readEcdsaSignature(signature, type.coordinateBytes);
    if (fixed === null) return false;
    const key = await importKey(publicKey, { name: 'ECDSA', namedCurve: type.curve });
    return await subtle.verify({ name: 'ECDSA', hash: hash ?? type.hash }, key, fixed, asBytes(data));
  }
  const algorithm = type.kind === 'RSA' ? { name: 'RSASSA-PKCS1-v1_5', hash: hash ?? ('SHA-256' satisfies HashName) } : { name: 'Ed25519' };
  return await subtle.verify({ name: algorithm.name }, await importKey(publicKey, algorithm), asBytes(signature), asBytes(data));
}

async function importKey(publicKey: Uint8Array, algorithm: EcKeyImportParams | RsaHashedImportParams | Algorithm): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey('spki', asBytes(publicKey), algorithm, false, ['verify']);
  } catch {
    // The platform rejects points that are not on the curve, and unknown kinds of keys.
    return refuse('key-unsupported', `This platform cannot use a public key of the kind ${algorithm.name}.`);
  }
}

function readEcdsaSignature(signature: Uint8Array, coordinateBytes: number): Uint8Array<ArrayBuffer> | null {
  try {
    return ecdsaSignatureFromDer(signature, coordinateBytes);
  } catch (error) {
    // A malformed signature is an invalid signature, not a malformed certificate.
    if (error instanceof Refusal) return null;
    throw error;
  }
}
