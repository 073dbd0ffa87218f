import {
  derTag,
  expectTag,
  readBitString,
  readBoolean,
  readChildren,
  readDer,
  readObjectIdentifier,
  readUnsignedInteger,
  type DerElement,
} from '../encoding/der.ts';
import { toHex } from '@repertoire/skills-core/internal';
import { refuse } from '../problem/refusal.ts';

/** The extensions of a certificate. A field is `null` if the extension is absent. */
export interface CertificateExtensions {
  /** Whether it may issue certificates. */
  readonly isAuthority: boolean;
  /** Maximum number of authorities below it. */
  readonly maxAuthoritiesBelow: number | null;
  readonly keyUsage: { readonly digitalSignature: boolean; readonly certificateSigning: boolean } | null;
  /** The purposes that it is limited to, as object identifiers. */
  readonly extendedKeyUsage: readonly string[] | null;
  /** Identifier of its key, in hex. */
  readonly subjectKeyIdentifier: string | null;
  /** Identifier of its issuer's key, in hex. */
  readonly authorityKeyIdentifier: string | null;
}

const identifiers = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

const knownIdentifiers: readonly string[] = Object.values(identifiers);

/** Reads the extensions that matter. RFC 5280, 4.2 demands to reject unknown critical ones. */
export function readExtensions(wrapper: DerElement | undefined): CertificateExtensions {
  const values = readExtensionValues(wrapper);
  // Name constraints are not implemented, so they must be rejected.
  if (values.has(identifiers.nameConstraints))
    refuse('certificate-unsupported', 'A certificate has name constraints, which are not supported.');
  const get = <Value>(identifier: string, read: (element: DerElement) => Value): Value | null => {
    const value = values.get(identifier);
    return value === undefined ? null : read(readDer(value));
  };
  const constraints = get(identifiers.basicConstraints, readBasicConstraints);
  return {
    isAuthority: constraints?.isAuthority ?? false,
    maxAuthoritiesBelow: constraints?.maxAuthoritiesBelow ?? null,
    keyUsage: get(identifiers.keyUsage, readKeyUsage),
    extendedKeyUsage: get(identifiers.extendedKeyUsage, (element) => readChildren(element).map(readObjectIdentifier)),
    subjectKeyIdentifier: get(identifiers.subjectKeyIdentifier, (element) => toHex(expectTag(element, derTag.octetString).body)),
    authorityKeyIdentifier: get(identifiers.authorityKeyIdentifier, readAuthorityKeyIdentifier),
  };
}

function readExtensionValues(wrapper: DerElement | undefined): Map<string, Uint8Array> {
  const values = new Map<string, Uint8Array>();
  if (wrapper === undefined) return values;
  const [list, ...rest] = readChildren(wrapper, 0xa3);
  if (rest.length > 0) refuse('certificate-malformed', 'A certificate has two lists of extensions.');
  for (const extension of readChildren(list)) {
    const [identifier, ...parts] = readChildren(extension);
    const id = readObjectIdentifier(identifier);
    const isCritical = parts.length === 2 && readBoolean(parts[0]);
    if (parts.length < 1 || parts.length > 2) refuse('certificate-malformed', `The extension ${id} of a certificate is malformed.`);
    if (values.has(id)) refuse('certificate-malformed', `A certificate has the extension ${id} twice.`);
    if (isCritical && !knownIdentifiers.includes(id))
      refuse('certificate-unsupported', `A certificate has the critical extension ${id}, which is not supported.`);
    values.set(id, expectTag(parts.at(-1), derTag.octetString).body);
  }
  return values;
}

function readBasicConstraints(element: DerElement): { readonly isAuthority: boolean; readonly maxAuthoritiesBelow: number | null } {
  const parts = readChildren(element);
  const isAuthority = parts[0]?.tag === derTag.boolean && readBoolean(parts.shift());
  const [length, ...rest] = parts;
  if (rest.length > 0 || (length !== undefined && !isAuthority)) refuse('certificate-malformed', 'Basic constraints are malformed.');
  if (length === undefined) return { isAuthority, maxAuthoritiesBelow: null };
  const digits = readUnsignedInteger(length);
  if (digits.length > 1) refuse('certificate-malformed', 'A path length of a certificate is too large.');
  return { isAuthority, maxAuthoritiesBelow: digits[0] ?? 0 };
}

function readKeyUsage(element: DerElement): CertificateExtensions['keyUsage'] {
  const [first = 0] = readBitString(element).bytes;
  return { digitalSignature: (first & 0x80) !== 0, certificateSigning: (first & 0x04) !== 0 };
}

function readAuthorityKeyIdentifier(element: DerElement): string | null {
  const identifier = readChildren(element).find(({ tag }) => tag === 0x80);
  return identifier === undefined ? null : toHex(identifier.body);
}
