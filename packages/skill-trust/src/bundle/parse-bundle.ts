import { isJsonObject, type JsonObject, isSha256Hex } from '@repertoire/skills-core/internal';
import { decodeBase64 } from '../encoding/base64.ts';
import type { Bytes } from '../encoding/bytes.ts';
import { objectWith, parseStrictJson } from '../encoding/strict-json.ts';
import { refuse, show } from '../problem/refusal.ts';

/** The signer, as the bundle claims it. */
export type BundleMaterial =
  | { readonly kind: 'chain'; readonly certificates: readonly Bytes[] }
  | { readonly kind: 'key'; readonly hint: string }
  /** The public key as PEM text, from old implementations. It only selects a key of the host. */
  | { readonly kind: 'key'; readonly pem: Bytes }
  /** A Fulcio certificate and log entries, for sigstore's own packages. */
  | { readonly kind: 'keyless'; readonly json: JsonObject };

/** A parsed bundle. Nothing in it is verified yet. */
export interface SignatureBundle {
  readonly material: BundleMaterial;
  readonly payloadType: string;
  readonly payload: Bytes;
  readonly signature: Bytes;
}

/** The media type of the format. The Python implementation accepts only this one. */
export const bundleMediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';

const maxDepth = 32;
/** Certificates and hints are short; only the payload is long. */
const maxCertificates = 8;

/** Each key has one of these, by its curve. They add nothing to the key. */
const keyDetails: readonly unknown[] = [undefined, 'PKIX_ECDSA_P256_SHA_256', 'PKIX_ECDSA_P384_SHA_384', 'PKIX_ECDSA_P521_SHA_512'];

/**
 * Parses a signature file of limited size. Rejects unknown fields, second signatures, other
 * material.
 */
export function parseBundle(bytes: Uint8Array): SignatureBundle {
  const json = parseStrictJson(bytes, maxDepth, (reason) => malformed(`The signature file cannot be read: ${reason}`));
  if (!isJsonObject(json)) return malformed('The signature file is not a JSON object');
  if (json['mediaType'] !== bundleMediaType)
    refuse('bundle-unsupported', `The signature file is of the type ${show(json['mediaType'])}, not ${bundleMediaType}.`);
  const bundle = objectOf(json, ['mediaType', 'verificationMaterial', 'dsseEnvelope'], 'The signature file');
  const envelope = objectOf(bundle['dsseEnvelope'], ['payload', 'payloadType', 'signatures'], 'dsseEnvelope');
  const [signature, ...others] = arrayOf(envelope['signatures'], 'dsseEnvelope.signatures');
  if (others.length > 0) malformed('dsseEnvelope has more than one signature');
  const { sig, keyid } = objectOf(signature, ['sig', 'keyid'], 'dsseEnvelope.signatures[0]');
  // Nothing uses this field, and no signature covers it.
  if (keyid !== undefined && keyid !== '') malformed('The signature has a keyid, which is not supported');
  const { payloadType } = envelope;
  if (typeof payloadType !== 'string' || payloadType.length > 256) return malformed('payloadType is not a short text');
  return {
    material: readMaterial(bundle['verificationMaterial'], json),
    payloadType,
    payload: base64Of(envelope['payload'], 'dsseEnvelope.payload'),
    signature: base64Of(sig, 'dsseEnvelope.signatures[0].sig'),
  };
}

function readMaterial(value: unknown, json: JsonObject): BundleMaterial {
  // Sigstore's own packages parse Fulcio certificates and know all fields.
  if (isJsonObject(value) && (value['certificate'] ?? null) !== null) {
    objectOf(value, ['certificate', 'tlogEntries', 'timestampVerificationData'], 'verificationMaterial');
    return { kind: 'keyless', json };
  }
  const material = objectOf(
    value,
    ['x509CertificateChain', 'publicKey', 'tlogEntries', 'timestampVerificationData'],
    'verificationMaterial',
  );
  const { x509CertificateChain: chain, publicKey: key, tlogEntries: entries, timestampVerificationData: times } = material;
  if (entries !== undefined && (!Array.isArray(entries) || entries.length > 0))
    refuse('bundle-unsupported', 'A signature with a chain or key has transparency log entries, which nobody would check.');
  if (times !== undefined && (!isJsonObject(times) || JSON.stringify(times) !== '{}'))
    refuse('bundle-unsupported', 'A signature with a chain or key has timestamps, which nobody would check.');
  if ((chain === undefined) === (key === undefined)) malformed('verificationMaterial has neither a chain nor a key, or both');
  if (chain === undefined) return readKey(key);
  const { certificates } = objectOf(chain, ['certificates'], 'x509CertificateChain');
  const list = arrayOf(certificates, 'x509CertificateChain.certificates');
  if (list.length > maxCertificates)
    refuse('chain-invalid', `The signature lists ${list.length} certificates; at most ${maxCertificates} are allowed.`);
  return {
    kind: 'chain',
    certificates: list.map((entry) => base64Of(objectOf(entry, ['rawBytes'], 'A certificate')['rawBytes'], 'rawBytes')),
  };
}

function readKey(value: unknown): BundleMaterial {
  const { hint, rawBytes, keyDetails: details } = objectOf(value, ['hint', 'rawBytes', 'keyDetails'], 'publicKey');
  if (!keyDetails.includes(details) || (hint === undefined) === (rawBytes === undefined))
    return malformed('publicKey has neither a hint nor a key, or both');
  if (hint === undefined) return { kind: 'key', pem: base64Of(rawBytes, 'publicKey.rawBytes') };
  if (typeof hint !== 'string' || !isSha256Hex(hint)) return malformed('publicKey.hint is not a SHA-256');
  return { kind: 'key', hint };
}

/**
 * Reads an object. Fields that are `null` are absent: some implementations write every field of the
 * format.
 */
function objectOf(value: unknown, keys: readonly string[], what: string): JsonObject {
  const present = isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value;
  return objectWith(present, keys, what, malformed);
}

function arrayOf(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) && value.length > 0 ? (value as unknown[]) : malformed(`${what} is not a list, or is empty`);
}

function base64Of(value: unknown, what: string): Bytes {
  const bytes = typeof value === 'string' ? decodeBase64(value) : null;
  return bytes !== null && bytes.length > 0 ? bytes : malformed(`${what} is not base64 in its canonical form, or is empty`);
}

function malformed(reason: string): never {
  return refuse('bundle-malformed', `${reason}.`);
}
