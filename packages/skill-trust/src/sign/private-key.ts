import { SkillError } from '@repertoire/skills-core';
import { asBytes, type Bytes } from '../encoding/bytes.ts';
import { derTag, readChildren, readDer, readObjectIdentifier, writeDer } from '../encoding/der.ts';
import { ecdsaSignatureToDer } from '../keys/ecdsa-signature.ts';
import { curves } from '../keys/key-type.ts';
import { Refusal } from '../problem/refusal.ts';
import { decodePem } from '../x509/pem.ts';

type ImportAlgorithm = EcKeyImportParams | RsaHashedImportParams | Algorithm;

/** The identifier 1.2.840.10045.2.1 in DER. */
const ecPublicKey: Uint8Array = Uint8Array.from([derTag.objectIdentifier, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1]);

/** Imports a private key from PEM text (PKCS #8, or SEC 1 for curves), or takes one as it is. */
export async function importPrivateKey(key: string | CryptoKey): Promise<CryptoKey> {
  if (typeof key !== 'string') return key;
  try {
    const [sec1] = decodePem(key, 'EC PRIVATE KEY') ?? [];
    const [bytes] = sec1 === undefined ? (decodePem(key, 'PRIVATE KEY') ?? []) : [pkcs8OfSec1(sec1)];
    if (bytes === undefined) throw invalidKey('it is not PEM text with "-----BEGIN PRIVATE KEY-----"');
    return await crypto.subtle.importKey('pkcs8', bytes, algorithmOf(bytes), true, ['sign']);
  } catch (error) {
    if (SkillError.isInstance(error)) throw error;
    throw invalidKey(error instanceof Refusal ? error.message : 'this platform cannot use it', error);
  }
}

/** Returns the public half of a private key, as SubjectPublicKeyInfo. */
export async function publicKeyOf(key: CryptoKey): Promise<Uint8Array> {
  if (!key.extractable)
    throw new SkillError('invalid-options', 'The private key is not extractable. Give its public half as `publicKey`, in PEM text.');
  const { kty, crv, x, y, n, e } = await crypto.subtle.exportKey('jwk', key);
  const members = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value !== undefined);
  const publicKey = await crypto.subtle.importKey('jwk', Object.fromEntries(members), key.algorithm, true, ['verify']);
  return new Uint8Array(await crypto.subtle.exportKey('spki', publicKey));
}

/** Signs with the algorithm of the key. ECDSA signatures are converted to DER. */
export async function signBytes(key: CryptoKey, data: Uint8Array): Promise<Uint8Array> {
  const { name, namedCurve = '' } = key.algorithm as KeyAlgorithm & { readonly namedCurve?: string };
  const algorithm =
    name === 'ECDSA' ? { name, hash: Object.values(curves).find(({ curve }) => curve === namedCurve)?.hash ?? 'SHA-256' } : { name };
  const signature = new Uint8Array(await crypto.subtle.sign(algorithm, key, asBytes(data)));
  return name === 'ECDSA' ? ecdsaSignatureToDer(signature) : signature;
}

/**
 * Wraps a key in PKCS #8. `openssl ecparam -genkey` writes the inner part of PKCS #8; both contain
 * the curve.
 */
function pkcs8OfSec1(sec1: Uint8Array): Bytes {
  const curve = readChildren(readDer(sec1)).find(({ tag }) => tag === 0xa0);
  if (curve === undefined) throw invalidKey('it does not name its curve');
  const algorithm = writeDer(derTag.sequence, [ecPublicKey, curve.body]);
  return writeDer(derTag.sequence, [Uint8Array.from([derTag.integer, 1, 0]), algorithm, writeDer(derTag.octetString, [sec1])]);
}

function algorithmOf(bytes: Uint8Array): ImportAlgorithm {
  const [, algorithm] = readChildren(readDer(bytes));
  const [identifier, parameters] = readChildren(algorithm);
  const id = readObjectIdentifier(identifier);
  if (id === '1.3.101.112') return { name: 'Ed25519' };
  if (id === '1.2.840.113549.1.1.1') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const namedCurve = id === '1.2.840.10045.2.1' ? curves[readObjectIdentifier(parameters)]?.curve : undefined;
  if (namedCurve === undefined) throw invalidKey('it is of a kind that is not supported');
  return { name: 'ECDSA', namedCurve };
}

function invalidKey(reason: string, cause?: unknown): SkillError {
  return new SkillError(
    'invalid-options',
    `The private key cannot be used: ${reason}. Give PKCS #8 in PEM text (openssl pkcs8 -topk8 -nocrypt): P-256, P-384, P-521, Ed25519 or RSA.`,
    { cause },
  );
}
