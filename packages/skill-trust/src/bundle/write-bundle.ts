import { encodeBase64 } from '../encoding/base64.ts';
import { bundleMediaType } from './parse-bundle.ts';

/** The signer: certificates with the signer first, or the hint of a public key. */
export type WrittenMaterial = { readonly certificates: readonly Uint8Array[] } | { readonly hint: string };

/** Writes a bundle in the form that the Python implementation writes. */
export function writeBundle(material: WrittenMaterial, payloadType: string, payload: Uint8Array, signature: Uint8Array): Uint8Array {
  const verificationMaterial =
    'hint' in material
      ? { publicKey: { hint: material.hint } }
      : { x509CertificateChain: { certificates: material.certificates.map((raw) => ({ rawBytes: encodeBase64(raw) })) } };
  const bundle = {
    mediaType: bundleMediaType,
    verificationMaterial: { ...verificationMaterial, tlogEntries: [] },
    dsseEnvelope: { payload: encodeBase64(payload), payloadType, signatures: [{ sig: encodeBase64(signature), keyid: '' }] },
  };
  return new TextEncoder().encode(JSON.stringify(bundle));
}
