import { isJsonObject, type JsonObject } from '@repertoire/skills-core/internal';
import { decodeBase64 } from '../encoding/base64.ts';
import type { Bytes } from '../encoding/bytes.ts';
import { unknownKey } from '../encoding/json-shape.ts';
import { parseStrictJson, StrictJsonError } from '../encoding/strict-json.ts';
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

/** Parses a signature file. Rejects unknown fields, second signatures and other material. */
export function parseBundle(bytes: Uint8Array, maxBytes: number): SignatureBundle {
  const json = parseJson(bytes, maxBytes);
  if (json['mediaType'] !== bundleMediaType)
    refuse('bundle-unsupported', `The signature file is of the type ${show(json['mediaType'])}, not ${bundleMediaType}.`);
  const bundle = objectWith(json, ['mediaType', 'verificationMaterial', 'dsseEnvelope'], 'The signature file');
  const envelope = objectWith(bundle['dsseEnvelope'], ['payload', 'payloadType', 'signatures'], 'dsseEnvelope');
  const [signature, ...others] = arrayOf(envelope['signatures'], 'dsseEnvelope.signatures');
  if (others.length > 0) refuse('bundle-malformed', 'dsseEnvelope has more than one signature.');
  const { sig, keyid } = objectWith(signature, ['sig', 'keyid'], 'dsseEnvelope.signatures[0]');
  // Nothing uses this field, and no signature covers it.
  if (keyid !== undefined && keyid !== '') refuse('bundle-malformed', 'The signature has a keyid, which is not supported.');
  const { payloadType } = envelope;
  if (typeof payloadType !== 'string' || payloadType.length > 256) return refuse('bundle-malformed', 'payloadType is not a short text.');
  return {
    material: readMaterial(bundle['verificationMaterial'], json),
    payloadType,
    payload: base64Of(envelope['payload'], 'dsseEnvelope.payload'),
    signature: base64Of(sig, 'dsseEnvelope.signatures[0].sig'),
  };
}

function parseJson(bytes: Uint8Array, maxBytes: number): JsonObject {
  if (bytes.length > maxBytes)
    refuse('bundle-too-large', `The signature file has ${bytes.length} bytes; the limit is ${maxBytes} (maxSignatureBytes).`);
  let json: unknown;
  try {
    json = parseStrictJson(bytes, { maxBytes, maxDepth });
  } catch (error) {
    if (error instanceof StrictJsonError) return refuse('bundle-malformed', `The signature file cannot be read: ${error.message}.`);
    throw error;
  }
  return isJsonObject(json) ? json : refuse('bundle-malformed', 'The signature file is not a JSON object.');
}

function readMaterial(value: unknown, json: JsonObject): BundleMaterial {
  // Sigstore's own packages parse Fulcio certificates and know all fields.
  if (isJsonObject(value) && (value['certificate'] ?? null) !== null) {
    objectWith(value, ['certificate', 'tlogEntries', 'timestampVerificationData'], 'verificationMaterial');
    return { kind: 'keyless', json };
  }
  const material = objectWith(
    value,
    ['x509CertificateChain', 'publicKey', 'tlogEntries', 'timestampVerificationData'],
    'verificationMaterial',
  );
  const { x509CertificateChain: chain, publicKey: key, tlogEntries: entries, timestampVerificationData: times } = material;
  if (entries !== undefined && (!Array.isArray(entries) || entries.length > 0))
    refuse('bundle-unsupported', 'A signature with a chain or key has transparency log entries, which nobody would check.');
  if (times !== undefined && (!isJsonObject(times) || JSON.stringify(times) !== '{}'))
    refuse('bundle-unsupported', 'A signature with a chain or key has timestamps, which nobody would check.');
  if ((chain === undefined) === (key === undefined))
    refuse('bundle-malformed', 'verificationMaterial has neither a chain nor a key, or both.');
  if (chain === undefined) return readKey(key);
  const { certificates } = objectWith(chain, ['certificates'], 'x509CertificateChain');
  const list = arrayOf(certificates, 'x509CertificateChain.certificates');
  if (list.length > maxCertificates)
    refuse('chain-invalid', `The signature lists ${list.length} certificates; at most ${maxCertificates} are allowed.`);
  return {
    kind: 'chain',
    certificates: list.map((entry) => base64Of(objectWith(entry, ['rawBytes'], 'A certificate')['rawBytes'], 'rawBytes')),
  };
}

function readKey(value: unknown): BundleMaterial {
  const { hint, rawBytes, keyDetails: details } = objectWith(value, ['hint', 'rawBytes', 'keyDetails'], 'publicKey');
  if (!keyDetails.includes(details) || (hint === undefined) === (rawBytes === undefined))
    return refuse('bundle-malformed', 'publicKey has neither a hint nor a key, or both.');
  if (hint === undefined) return { kind: 'key', pem: base64Of(rawBytes, 'publicKey.rawBytes') };
  if (typeof hint !== 'string' || !/^[0-9a-f]{64}$/.test(hint)) return refuse('bundle-malformed', 'publicKey.hint is not a SHA-256.');
  return { kind: 'key', hint };
}

/** Fields that are `null` are absent: some implementations write every field of the format. */
function objectWith(value: unknown, keys: readonly string[], what: string): JsonObject {
  if (!isJsonObject(value)) return refuse('bundle-malformed', `${what} is not a JSON object.`);
  const present = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  const unknown = unknownKey(present, keys);
  if (unknown !== undefined) refuse('bundle-malformed', `${what} has the unknown field ${show(unknown)}.`);
  return present;
}

function arrayOf(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) && value.length > 0
    ? (value as unknown[])
    : refuse('bundle-malformed', `${what} is not a list, or is empty.`);
}

function base64Of(value: unknown, what: string): Bytes {
  const bytes = typeof value === 'string' ? decodeBase64(value) : null;
  return bytes !== null && bytes.length > 0
    ? bytes
    : refuse('bundle-malformed', `${what} is not base64 in its canonical form, or is empty.`);
}
