import { readBitStringBytes, readChildren, readDer, readObjectIdentifier, readUnsignedInteger } from '../encoding/der.ts';
import { refuse } from '../problem/refusal.ts';

export type HashName = 'SHA-256' | 'SHA-384' | 'SHA-512';

/** The kind of a public key, which alone determines how its signatures are checked. */
export type KeyType =
  | { readonly kind: 'EC'; readonly curve: string; readonly coordinateBytes: number; readonly hash: HashName }
  | { readonly kind: 'Ed25519' }
  | { readonly kind: 'RSA' };

/** The curves of the format by their object identifier, each with its hash. */
export const curves: Readonly<Record<string, Extract<KeyType, { readonly kind: 'EC' }>>> = {
  '1.2.840.10045.3.1.7': { kind: 'EC', curve: 'P-256', coordinateBytes: 32, hash: 'SHA-256' },
  '1.3.132.0.34': { kind: 'EC', curve: 'P-384', coordinateBytes: 48, hash: 'SHA-384' },
  '1.3.132.0.35': { kind: 'EC', curve: 'P-521', coordinateBytes: 66, hash: 'SHA-512' },
};

/** NIST SP 800-56B. With the exponent 1, a signature is the text itself. */
const minRsaExponent = 65_537n;
const minRsaBits = 2048;
/** Larger keys are slow, and an attacker may choose the key of an intermediate. */
const maxRsaBits = 8192;

/** The type of a SubjectPublicKeyInfo. Unsupported types are rejected by name. */
export function keyTypeOf(publicKey: Uint8Array): KeyType {
  const [algorithm, key, ...rest] = readChildren(readDer(publicKey));
  if (rest.length > 0) refuse('certificate-malformed', 'A public key is malformed.');
  const [identifier, parameters] = readChildren(algorithm);
  const bytes = readBitStringBytes(key);
  const id = readObjectIdentifier(identifier);
  if (id === '1.2.840.10045.2.1') return curveOf(readObjectIdentifier(parameters), bytes);
  if (id === '1.3.101.112' && bytes.length === 32) return { kind: 'Ed25519' };
  if (id === '1.2.840.113549.1.1.1') return rsa(bytes);
  return refuse('key-unsupported', `A public key has the algorithm ${id}, which is not supported.`);
}

function curveOf(id: string, point: Uint8Array): KeyType {
  const type = curves[id];
  if (type === undefined) return refuse('key-unsupported', `A public key is on the curve ${id}. P-256, P-384 and P-521 are supported.`);
  // Platforms disagree on compressed points.
  if (point[0] !== 4 || point.length !== 1 + 2 * type.coordinateBytes)
    refuse('key-unsupported', `A public key on ${type.curve} is not an uncompressed point.`);
  return type;
}

function rsa(bytes: Uint8Array): KeyType {
  const [modulus, exponent] = readChildren(readDer(bytes));
  const power = valueOf(readUnsignedInteger(exponent));
  if (power < minRsaExponent || power >> 64n > 0n || (power & 1n) === 0n)
    refuse('key-unsupported', `An RSA key has an unusual exponent. Make a key with the exponent ${minRsaExponent}, as every tool does.`);
  const digits = readUnsignedInteger(modulus);
  const bits = digits.length * 8 - Math.clz32(digits[0] ?? 0) + 24;
  if (bits < minRsaBits || bits > maxRsaBits)
    refuse('key-unsupported', `An RSA key has ${bits} bits. ${minRsaBits} to ${maxRsaBits} are supported.`);
  return { kind: 'RSA' };
}

function valueOf(digits: Uint8Array): bigint {
  return digits.reduce((value, digit) => (value << 8n) | BigInt(digit), 0n);
}
