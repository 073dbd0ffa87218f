import type { SkillDiagnostic, SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import { deepFreeze, SizedCache } from '@repertoire/skills-core/internal';
import { sha256Hex, type SkillOrigin } from '@repertoire/skills-core/provider';
import { parseSkillMd, type ParsedSkillMd } from '@repertoire/skills-core/skill-md';
import { acceptsSigner, isForSkill, type SkillSignerRule } from '../policy/signer-rule.ts';
import { Refusal, refuse, show } from '../problem/refusal.ts';
import type { VerifiedRelease } from '../release/verify-release.ts';
import type { SkillStatement } from '../statement/skill-statement.ts';
import type { SkillVerifier, VerifiedSignature } from '../verify/create-skill-verifier.ts';
import type { SignerMemory } from '../policy/signer-memory.ts';

/** One skill of a source, in a given version or the newest. */
export interface SkillRequest {
  readonly name: string;
  /** `undefined` for the newest one. */
  readonly version: string | null | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A skill whose signature, SKILL.md and signer were checked. */
export interface VerifiedSkill {
  readonly statement: SkillStatement;
  /** Level 1 and body from the signed bytes, never from what the source says. */
  readonly metadata: SkillMetadata;
  readonly body: string;
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Whether the host trusts it; `undefined` keeps the trust of the source. */
  readonly trusted: boolean | undefined;
}

/** A skill without a signature that the host allows. */
export interface UnsignedSkill {
  readonly statement: null;
  readonly trusted: false | undefined;
}

export interface SkillReaderSettings {
  readonly provider: SkillProvider;
  readonly verifier: SkillVerifier;
  readonly rules: readonly SkillSignerRule[];
  readonly unsigned: 'refuse' | 'untrusted' | 'allow';
  readonly signers: SignerMemory | undefined;
  readonly release: (() => VerifiedRelease | null) | undefined;
}

/** The limit of the parser. */
const maxSkillMdBytes = 2 * 1024 * 1024;
/** Bytes of parsed SKILL.md files that are cached, by digest. */
const cacheBytes = 8 * 1024 * 1024;

/**
 * Creates the function that reads and checks one skill. It throws a `Refusal` for what the host
 * does not accept.
 *
 * Signature and SKILL.md are read at each call, and cost one hash if they were verified before. If
 * only the name is needed, a parsed SKILL.md is not read again, because its digest is part of the
 * signature.
 */
export function createSkillReader({
  provider,
  verifier,
  rules,
  unsigned,
  signers,
  release,
}: SkillReaderSettings): (request: SkillRequest, trustDigest?: boolean) => Promise<VerifiedSkill | UnsignedSkill> {
  const parsed = new SizedCache<ParsedSkillMd>(cacheBytes);
  /** Skills that were served with a signature are not served without one later. */
  const signedBefore = new Set<string>();

  /** Reads a whole file up to a limit. Returns `null` if the source does not have it. */
  async function readWhole({ name, version, signal }: SkillRequest, path: string, maxBytes: number): Promise<Uint8Array | null> {
    const resource = await provider.readResource(name, path, { version, maxBytes: maxBytes + 1, signal });
    if (resource === null) return null;
    const { bytes } = resource;
    // One byte more than allowed was requested. The size that the source reports is not trusted.
    if (bytes.length > maxBytes) {
      const code = path === 'SKILL.md' ? 'skill-md-invalid' : 'bundle-too-large';
      refuse(code, `The file ${show(path)} has more than ${maxBytes} bytes.`, path);
    }
    // A copy, because a source that keeps the bytes could change them after they were hashed.
    return bytes.slice();
  }

  async function readSkillMd(request: SkillRequest, digest: string, signedName: string, trustDigest: boolean): Promise<ParsedSkillMd> {
    const key = `${digest} ${signedName}`;
    const known = parsed.get(key);
    if (known !== undefined && trustDigest) return known;
    const bytes = await readWhole(request, 'SKILL.md', maxSkillMdBytes);
    if (bytes === null)
      return refuse('file-missing', 'The source does not have SKILL.md as its author wrote it, so that it cannot be verified.', 'SKILL.md');
    if ((await sha256Hex(bytes)) !== digest)
      refuse('file-changed', 'The file "SKILL.md" differs from the one that was signed.', 'SKILL.md');
    if (known !== undefined) return known;
    // A SKILL.md without a name gets the signed name, not the one in the listing.
    const result = parseSkillMd(bytes, { directoryName: signedName });
    parsed.set(key, result, bytes.length * 2);
    return result;
  }

  async function readUnsigned(name: string): Promise<UnsignedSkill> {
    const message = `The skill has no ${verifier.signatureName}.`;
    const isNamed = rules.some((rule) => rule.skills !== undefined && isForSkill(rule, name));
    if (unsigned === 'refuse' || isNamed || release !== undefined) refuse('unsigned', message);
    // Removing a signature must not be easier than replacing it.
    if (signedBefore.has(name) || (signers !== undefined && (await signers.read(name)) !== null))
      refuse('signer-changed', `${message} It was signed before.`);
    return { statement: null, trusted: unsigned === 'untrusted' ? false : undefined };
  }

  return async (request, trustDigest = false) => {
    const { name } = request;
    const signature = await readWhole(request, verifier.signatureName, verifier.maxSignatureBytes);
    if (signature === null) return await readUnsigned(name);
    const result = await verifier.verifySignature(signature);
    if (!result.verified) throw new Refusal(result.problems[0]);
    const { statement } = result;
    const digest = statement.files.get('SKILL.md');
    if (digest === undefined) return refuse('file-extra', 'The signature does not cover SKILL.md.', 'SKILL.md');
    const { metadata, body, diagnostics } = await readSkillMd(request, digest, statement.name, trustDigest);
    if (metadata === null) return refuse('skill-md-invalid', diagnostics[0]?.message ?? 'The signed SKILL.md cannot be read.', 'SKILL.md');
    checkIdentity(metadata, request);
    const rule = findRule(result, name, rules);
    if (release !== undefined) checkRelease(metadata, statement, release());
    if (signers !== undefined) await checkSigner(name, result, signers);
    signedBefore.add(name);
    // The cached copy stays as it was parsed, whatever the caller does to its own.
    const own = deepFreeze({ metadata, diagnostics });
    return { ...own, statement, body, trusted: rule.trusted };
  };
}

/** Returns the origin without its address, where the content is not verified. */
export function verifiedOrigin(provider: SkillProvider, origin: SkillOrigin | undefined, trusted: boolean | undefined): SkillOrigin {
  const { kind = 'signed', label = provider.label, trusted: asSource = false } = origin ?? {};
  return { kind, label, ...(origin?.place !== undefined && { place: origin.place }), trusted: trusted ?? asSource };
}

function checkIdentity(signed: Pick<SkillMetadata, 'name' | 'version'>, { name, version }: SkillRequest): void {
  if (signed.name !== name)
    refuse('name-mismatch', `The source lists the skill as ${show(name)}; the signed SKILL.md is that of ${show(signed.name)}.`);
  if (version !== undefined && signed.version !== version)
    refuse('version-mismatch', `The source lists version ${show(version)}; the signed SKILL.md has ${show(signed.version)}.`);
}

function findRule({ signer }: VerifiedSignature, name: string, rules: readonly SkillSignerRule[]): SkillSignerRule {
  const rule = rules.find((candidate) => isForSkill(candidate, name) && acceptsSigner(candidate, signer));
  return rule ?? refuse('signer-not-accepted', `No rule of the host accepts ${signer.id} as the signer of ${show(name)}.`);
}

function checkRelease({ name, version }: SkillMetadata, { digest }: SkillStatement, verified: VerifiedRelease | null): void {
  if (verified === null) return refuse('not-in-release', 'There is no release that was verified.');
  const { release } = verified;
  const entry = release.skills.find((skill) => skill.name === name && skill.version === version);
  const title = version === null ? show(name) : `${show(name)} in version ${show(version)}`;
  if (entry === undefined) return refuse('not-in-release', `Release ${release.release} does not have ${title}.`);
  if (entry.digest !== digest) refuse('release-mismatch', `Release ${release.release} has ${title} with other files.`);
}

async function checkSigner(name: string, { signer }: VerifiedSignature, signers: SignerMemory): Promise<void> {
  const known = await signers.remember(name, signer.id);
  if (known !== signer.id)
    refuse(
      'signer-changed',
      `The skill was signed by ${known}, and is now signed by ${signer.id}. Accept the new signer, if that is right.`,
    );
}
