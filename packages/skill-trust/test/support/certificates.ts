// The library asks for it at import.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { derTag, readChildren, readDer, writeDer } from '../../src/encoding/der.ts';
import { ecdsaSignatureToDer } from '../../src/keys/ecdsa-signature.ts';

/** An algorithm of keys, with the hash that goes with it. */
export type KeyKind = 'P-256' | 'P-384' | 'P-521' | 'Ed25519' | 'RSA';

export const keyKinds: readonly KeyKind[] = ['P-256', 'P-384', 'P-521', 'Ed25519', 'RSA'];

/** The middle of the validity of everything that is made here. */
export const now = new Date('2030-01-01T00:00:00Z');
const from = new Date('2029-01-01T00:00:00Z');
const to = new Date('2031-01-01T00:00:00Z');

export const { keyCertSign, digitalSignature, cRLSign, keyEncipherment } = x509.KeyUsageFlags;
/** An extension of any kind, by its identifier. */
export const extension = (id: string, critical: boolean, value: readonly number[]): x509.Extension =>
  new x509.Extension(id, critical, Uint8Array.from(value));
export const codeSigning = '1.3.6.1.5.5.7.3.3';
export const serverAuth = '1.3.6.1.5.5.7.3.1';

/** A certificate with its key. */
export interface Holder {
  readonly certificate: x509.X509Certificate;
  readonly keys: CryptoKeyPair;
  readonly kind: KeyKind;
}

/** What a certificate says; all else is as it should be. */
export interface CertificateRequest {
  readonly name?: string;
  readonly kind?: KeyKind;
  readonly issuer?: Holder;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly authority?: boolean;
  readonly pathLength?: number;
  readonly usage?: x509.KeyUsageFlags | null;
  readonly extendedUsage?: readonly string[];
  readonly more?: readonly x509.Extension[];
  readonly keyIdentifiers?: boolean;
  readonly signingHash?: string;
  readonly keys?: CryptoKeyPair;
}

/** Changes the parts of a certificate, and has its issuer sign what comes of it: an issuer may sign anything. */
export async function rewrite(
  holder: Holder,
  issuer: Holder,
  edit: (parts: Uint8Array[]) => void,
  outerAlgorithm?: Uint8Array,
): Promise<Uint8Array> {
  const [signed, algorithm] = readChildren(readDer(der(holder)));
  const parts = readChildren(signed).map(({ raw }) => raw);
  edit(parts);
  const content = writeDer(derTag.sequence, parts);
  const made = new Uint8Array(await crypto.subtle.sign(signingAlgorithm(issuer.kind), issuer.keys.privateKey, content));
  const signature = ecdsaSignatureToDer(made);
  const bits = writeDer(derTag.bitString, [new Uint8Array(1), signature]);
  return writeDer(derTag.sequence, [content, outerAlgorithm ?? algorithm!.raw, bits]);
}

let serial = 0;

/** Makes a certificate: of a root where no issuer is given. */
export async function certificate(request: CertificateRequest = {}): Promise<Holder> {
  const { kind = request.issuer?.kind ?? 'P-256', issuer, authority = issuer === undefined } = request;
  const keys = request.keys ?? (await generateKeys(kind));
  const ownUsage = authority ? keyCertSign | cRLSign : digitalSignature;
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment
  const usage: x509.KeyUsageFlags | null = request.usage === undefined ? ownUsage : request.usage;
  const name = request.name ?? (issuer === undefined ? 'Root' : authority ? 'Intermediate' : 'Signer');
  const subject = `C=US, O=Example, CN=${name}`;
  const extensions: x509.Extension[] = [
    new x509.BasicConstraintsExtension(authority, request.pathLength, true),
    ...(usage === null ? [] : [new x509.KeyUsagesExtension(usage, true)]),
    ...(request.extendedUsage === undefined ? [] : [new x509.ExtendedKeyUsageExtension([...request.extendedUsage])]),
    ...(request.keyIdentifiers === false
      ? []
      : [
          await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
          await x509.AuthorityKeyIdentifierExtension.create(issuer?.keys.publicKey ?? keys.publicKey),
        ]),
    ...(request.more ?? []),
  ];
  serial += 1;
  const made = await x509.X509CertificateGenerator.create({
    serialNumber: serial.toString(16).padStart(4, '0'),
    subject,
    issuer: issuer?.certificate.subject ?? subject,
    notBefore: request.notBefore ?? from,
    notAfter: request.notAfter ?? to,
    publicKey: keys.publicKey,
    signingKey: issuer?.keys.privateKey ?? keys.privateKey,
    signingAlgorithm: signingAlgorithm(issuer?.kind ?? kind, request.signingHash),
    extensions,
  });
  return { certificate: made, keys, kind };
}

/** A root, an intermediate and a signer. */
export async function chain(
  kind: KeyKind = 'P-256',
  signer: CertificateRequest = {},
): Promise<{ root: Holder; intermediate: Holder; signer: Holder }> {
  const root = await certificate({ kind });
  const intermediate = await certificate({ issuer: root, authority: true, pathLength: 0 });
  return { root, intermediate, signer: await certificate({ issuer: intermediate, ...signer }) };
}

/** DER of a certificate. */
export function der({ certificate: { rawData } }: Holder): Uint8Array {
  return new Uint8Array(rawData);
}

/** PEM text of certificates. */
export function pem(...holders: readonly Holder[]): string {
  return holders.map((holder) => holder.certificate.toString('pem')).join('\n');
}

/** PEM text of a private key. */
export async function privateKeyPem({ keys }: Pick<Holder, 'keys'>): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
}

/** PEM text of a public key, as OpenSSL writes it. */
export async function publicKeyPem({ keys }: Pick<Holder, 'keys'>): Promise<string> {
  return `${x509.PemConverter.encode(await crypto.subtle.exportKey('spki', keys.publicKey), 'PUBLIC KEY')}\n`;
}

/** Generates keys of a kind. */
export async function generateKeys(kind: KeyKind): Promise<CryptoKeyPair> {
  return (await crypto.subtle.generateKey(keyAlgorithm(kind), true, ['sign', 'verify'])) as CryptoKeyPair;
}

function keyAlgorithm(kind: KeyKind): EcKeyGenParams | RsaHashedKeyGenParams | { name: string } {
  if (kind === 'Ed25519') return { name: 'Ed25519' };
  if (kind !== 'RSA') return { name: 'ECDSA', namedCurve: kind };
  return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
}

function signingAlgorithm(kind: KeyKind, hash?: string): { name: string; hash?: string } {
  if (kind === 'Ed25519') return { name: 'Ed25519' };
  if (kind === 'RSA') return { name: 'RSASSA-PKCS1-v1_5', hash: hash ?? 'SHA-256' };
  return { name: 'ECDSA', hash: hash ?? { 'P-256': 'SHA-256', 'P-384': 'SHA-384', 'P-521': 'SHA-512' }[kind] };
}
