import { derTag, readBitStringBytes, readChildren, readDer, readObjectIdentifier, type DerElement } from '../encoding/der.ts';
import { toHex } from '@repertoire/skills-core/internal';
import { equalBytes } from '../encoding/bytes.ts';
import { refuse } from '../problem/refusal.ts';
import { readCertificateTime } from './certificate-time.ts';
import { readDistinguishedName } from './distinguished-name.ts';
import { readExtensions, type CertificateExtensions } from './certificate-extensions.ts';

/** The parts of an X.509 certificate that are needed to build a path and to name its holder. */
export interface Certificate extends CertificateExtensions {
  readonly raw: Uint8Array;
  /** The part that its issuer signed. */
  readonly signedPart: Uint8Array;
  /** The algorithm of the issuer's signature, as an object identifier. */
  readonly signatureAlgorithm: string;
  readonly signature: Uint8Array;
  /** Serial number in hex. */
  readonly serialNumber: string;
  /** Names as text, and as bytes, which are what is compared. */
  readonly subject: string;
  readonly subjectRaw: Uint8Array;
  readonly issuer: string;
  readonly issuerRaw: Uint8Array;
  /** The first and the last moment of its validity, in milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** The public key as SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
}

/** Certificates of signers are about 1 KiB. */
const maxCertificateBytes = 64 * 1024;
const version3 = [0xa0, 0x03, 0x02, 0x01, 0x02];

/**
 * Parses a version 3 certificate in strict DER. Checks no signature and no date.
 *
 * It is code of our own because this reader weighs 5 kB, and `@peculiar/x509` 56 kB. Tests make
 * their certificates with that library.
 */
export function parseCertificate(raw: Uint8Array): Certificate {
  if (raw.length > maxCertificateBytes)
    refuse('certificate-malformed', `A certificate has ${raw.length} bytes; the limit is ${maxCertificateBytes}.`);
  const [signed, algorithm, signature, ...rest] = readChildren(readDer(raw));
  if (signed === undefined || algorithm === undefined || signature === undefined || rest.length > 0) return malformed();
  const [version, serial, innerAlgorithm, issuer, validity, subject, publicKey, ...optional] = readChildren(signed);
  if (version === undefined || innerAlgorithm === undefined || issuer === undefined || subject === undefined || publicKey === undefined)
    return malformed();
  if (!equalBytes(version.raw, Uint8Array.from(version3))) refuse('certificate-unsupported', 'A certificate is not of version 3.');
  if (!equalBytes(innerAlgorithm.raw, algorithm.raw)) refuse('certificate-malformed', 'A certificate names two different algorithms.');
  const [notBefore, notAfter, ...more] = readChildren(validity);
  if (serial?.tag !== derTag.integer || notBefore === undefined || notAfter === undefined || more.length > 0) return malformed();
  const [extensions, ...others] = optional;
  if (others.length > 0 || (extensions !== undefined && extensions.tag !== 0xa3)) return malformed();
  return {
    raw,
    signedPart: signed.raw,
    signatureAlgorithm: readAlgorithm(algorithm),
    signature: readBitStringBytes(signature),
    serialNumber: toHex(serial.body),
    subject: readDistinguishedName(subject),
    subjectRaw: subject.raw,
    issuer: readDistinguishedName(issuer),
    issuerRaw: issuer.raw,
    notBefore: readCertificateTime(notBefore),
    notAfter: readCertificateTime(notAfter),
    publicKey: publicKey.raw,
    ...readExtensions(extensions),
  };
}

/**
 * Reads an algorithm. Its parameters must be absent or NULL: others would change the meaning of the
 * identifier.
 */
function readAlgorithm(element: DerElement): string {
  const [identifier, parameters, ...rest] = readChildren(element);
  const isPlain = parameters === undefined || (parameters.tag === derTag.null && parameters.body.length === 0);
  if (rest.length > 0 || !isPlain) refuse('certificate-unsupported', 'The signature algorithm of a certificate has parameters.');
  return readObjectIdentifier(identifier);
}

function malformed(): never {
  return refuse('certificate-malformed', 'A certificate lacks a part, or has one that does not belong there.');
}
