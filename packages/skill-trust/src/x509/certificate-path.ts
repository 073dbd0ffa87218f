import { equalBytes } from '../encoding/bytes.ts';
import { keyTypeOf, type HashName, type KeyType } from '../keys/key-type.ts';
import { verifyBytes } from '../keys/verify-bytes.ts';
import { refuse } from '../problem/refusal.ts';
import type { Certificate } from './certificate.ts';

/** From the signer's certificate to a root of the host. */
export type CertificatePath = readonly [signer: Certificate, ...authorities: Certificate[]];

/** Additional permissions for a signer's certificate. */
export interface SignerCertificateRules {
  /** Accepts a signer whose certificate is that of an authority. */
  readonly allowAuthority: boolean;
  /** Accepts extended key usages without code signing, such as `serverAuth`. */
  readonly allowAnyUsage: boolean;
}

/** The most certificates in a signature file. */
const maxChainLength = 8;

const signatureAlgorithms: Readonly<Record<string, { readonly kind: KeyType['kind']; readonly hash?: HashName }>> = {
  '1.2.840.10045.4.3.2': { kind: 'EC', hash: 'SHA-256' },
  '1.2.840.10045.4.3.3': { kind: 'EC', hash: 'SHA-384' },
  '1.2.840.10045.4.3.4': { kind: 'EC', hash: 'SHA-512' },
  '1.3.101.112': { kind: 'Ed25519' },
  '1.2.840.113549.1.1.11': { kind: 'RSA', hash: 'SHA-256' },
  '1.2.840.113549.1.1.12': { kind: 'RSA', hash: 'SHA-384' },
  '1.2.840.113549.1.1.13': { kind: 'RSA', hash: 'SHA-512' },
};

const codeSigning = '1.3.6.1.5.5.7.3.3';
const anyUsage = '2.5.29.37.0';

/**
 * Checks the certificates of a signature file: the signer first, each issued by the next, until one
 * is a root of the host or was issued by one. An embedded root never creates trust. Dates are not
 * checked here, because they must be checked at each use.
 *
 * Certificates after the end of the path must be roots of the host, byte for byte. Otherwise
 * anybody could change them.
 */
export async function verifyCertificatePath(
  chain: readonly Certificate[],
  roots: readonly Certificate[],
  rules: SignerCertificateRules,
): Promise<CertificatePath> {
  const [signer] = chain;
  if (signer === undefined || chain.length > maxChainLength)
    return refuse('chain-invalid', `The signature lists ${chain.length} certificates; 1 to ${maxChainLength} are allowed.`);
  checkSignerUsage(signer, rules);
  const path: [Certificate, ...Certificate[]] = [signer];
  let last = signer;
  for (;;) {
    if (isAmong(last, roots)) break;
    const root = await issuerOf(last, roots);
    const next = root ?? (await issuerOf(last, chain.slice(path.length, path.length + 1)));
    if (next === undefined) return refuseIncomplete(last, chain, path.length);
    path.push(next);
    last = next;
    if (root !== undefined) break;
  }
  checkAuthorities(path);
  const isListed = (certificate: Certificate): boolean => path.some(({ raw }) => equalBytes(raw, certificate.raw));
  const unneeded = chain.find((certificate, index) => !isListed(certificate) && (index < path.length || !isAmong(certificate, roots)));
  if (unneeded !== undefined)
    refuse('chain-invalid', `The certificate "${unneeded.subject}" is listed, and the path to the root does not need it.`);
  if (new Set(chain.map(({ raw }) => raw.join())).size < chain.length) refuse('chain-invalid', 'A certificate is listed twice.');
  return path;
}

/** Checks the validity of every certificate of a path at one time. */
export function checkValidity(path: CertificatePath, atMs: number): void {
  for (const { subject, notBefore, notAfter } of path) {
    if (atMs < notBefore)
      refuse('certificate-not-yet-valid', `The certificate "${subject}" is valid from ${new Date(notBefore).toISOString()}.`);
    // Comparisons with an invalid date are false, so the condition must reject by default.
    if (!(atMs <= notAfter)) refuse('certificate-expired', `The certificate "${subject}" expired on ${new Date(notAfter).toISOString()}.`);
  }
}

function isAmong(certificate: Certificate, roots: readonly Certificate[]): boolean {
  return roots.some(({ raw }) => equalBytes(raw, certificate.raw));
}

async function issuerOf(certificate: Certificate, candidates: readonly Certificate[]): Promise<Certificate | undefined> {
  for (const candidate of candidates) if (await isIssuedBy(certificate, candidate)) return candidate;
  return undefined;
}

async function isIssuedBy(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const { authorityKeyIdentifier } = certificate;
  if (!equalBytes(certificate.issuerRaw, issuer.subjectRaw)) return false;
  if (authorityKeyIdentifier !== null && issuer.subjectKeyIdentifier !== null && authorityKeyIdentifier !== issuer.subjectKeyIdentifier)
    return false;
  const algorithm = signatureAlgorithms[certificate.signatureAlgorithm];
  if (algorithm === undefined)
    return refuse(
      'certificate-unsupported',
      `The certificate "${certificate.subject}" is signed by algorithm ${certificate.signatureAlgorithm}.`,
    );
  // The key determines the algorithm, not the certificate.
  if (algorithm.kind !== keyTypeOf(issuer.publicKey).kind) return false;
  return await verifyBytes(issuer.publicKey, certificate.signedPart, certificate.signature, algorithm.hash);
}

function refuseIncomplete(last: Certificate, chain: readonly Certificate[], used: number): never {
  const place = used < chain.length ? ' The next certificate of the list is not its issuer.' : '';
  return refuse(
    'chain-untrusted',
    `No root of the host issued the certificate "${last.subject}" (issuer "${last.issuer}").${place} Give the publisher's root, if you trust it.`,
  );
}

function checkAuthorities([, ...authorities]: CertificatePath): void {
  for (const [below, { subject, isAuthority, keyUsage, maxAuthoritiesBelow, extendedKeyUsage }] of authorities.entries()) {
    if (!isAuthority) refuse('certificate-usage', `The issuer "${subject}" is not a certificate authority.`);
    if (keyUsage?.certificateSigning === false) refuse('certificate-usage', `The issuer "${subject}" may not sign certificates.`);
    if (extendedKeyUsage !== null && !allowsCodeSigning(extendedKeyUsage))
      refuse('certificate-usage', `The issuer "${subject}" is limited to other purposes than code signing.`);
    if (maxAuthoritiesBelow !== null && below > maxAuthoritiesBelow)
      refuse('chain-invalid', `Below the issuer "${subject}" stand more authorities than it allows (${maxAuthoritiesBelow}).`);
  }
}

function checkSignerUsage(signer: Certificate, rules: SignerCertificateRules): void {
  const { subject, isAuthority, keyUsage, extendedKeyUsage } = signer;
  if (isAuthority && !rules.allowAuthority)
    refuse('certificate-usage', `The signer's certificate "${subject}" is that of a certificate authority.`);
  const forCode = extendedKeyUsage !== null && allowsCodeSigning(extendedKeyUsage);
  if (!(keyUsage?.digitalSignature ?? forCode)) refuse('certificate-usage', `The certificate "${subject}" may not be used for signatures.`);
  if (extendedKeyUsage !== null && !forCode && !rules.allowAnyUsage)
    refuse('certificate-usage', `The certificate "${subject}" is limited to other purposes than code signing.`);
}

function allowsCodeSigning(usages: readonly string[]): boolean {
  return usages.includes(codeSigning) || usages.includes(anyUsage);
}
