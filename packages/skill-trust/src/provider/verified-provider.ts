import type { Skill, SkillDiagnostic, SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions, deepFreeze, numberOption, type OptionRules, type WrappedProvider } from '@repertoire/skills-core/internal';
import {
  forEachBounded,
  mediaTypeOf,
  sha256Hex,
  wrapProvider,
  type ReadResourceOptions,
  type SkillListing,
  type SkillResource,
} from '@repertoire/skills-core/provider';
import { checkSignerRules } from '../policy/signer-rule.ts';
import { catchRefusal, Refusal, refuse, show } from '../problem/refusal.ts';
import { createSkillVerifier, skillVerifierRules, type SkillVerifier } from '../verify/create-skill-verifier.ts';
import { fileTooLarge, refusalDiagnostic, refusalError, unavailableDiagnostic, unsignedDiagnostic } from './refusals.ts';
import { readSignedFiles, servedDigests, signedContent } from './signed-files.ts';
import type { VerifiedProviderOptions } from './verified-provider-options.ts';
import { createSkillReader, verifiedOrigin, type SkillRequest } from './verified-skill.ts';

const knownOptions: OptionRules<VerifiedProviderOptions> = {
  ...skillVerifierRules,
  require: '[]',
  unsigned: { refuse: true, untrusted: true, allow: true },
  signers: '{}',
  release: { '{}': true, '()': true },
  maxFileBytes: 'number',
  concurrency: 'number',
};

/**
 * Serves only skills with a valid signature of an accepted signer, and only the signed bytes.
 * Nothing unverified reaches the caller:
 *
 * - `listSkills` and `getSkill` return level 1 and the body from the signed SKILL.md, not from what
 *   the source says. A rejected skill is missing from the list, and a diagnostic has the code of
 *   the problem.
 * - `getSkill` rejects a skill that has an unsigned file, or lacks a signed one. The list of files
 *   is the signed one.
 * - `readResource` reads and compares the whole file, whatever part is requested. Files that no
 *   signature covers are `null`.
 *
 * The source must have SKILL.md and the signature as raw bytes. `origin.uri` is left out, because
 * files that are read from there are not verified. If the source fails for one skill, the listing
 * is incomplete (`signature-unavailable`).
 *
 * Unsigned skills that `unsigned` allows are served as the source has them, with the diagnostic
 * `unsigned`. A skill that was served with a signature before is rejected without it, so that no
 * call relies on the signature of another one.
 *
 * @throws {SkillError} `invalid-options` for roots, keys, rules or limits that cannot work. Calls
 *   reject with `signature-refused` for a skill that is refused, and with `limit-exceeded` for a
 *   file beyond `maxFileBytes`
 * @example
 * ```ts
 * import { verifiedProvider } from '@repertoire/skill-trust/provider';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export function signedOnly(provider: SkillProvider, rootPem: string): SkillProvider {
 *   return verifiedProvider(provider, {
 *     roots: [rootPem],
 *     require: [{ subject: 'C=US, O=Example, CN=Skill signing', skills: 'example-*', trusted: true }],
 *   });
 * }
 * ```
 */
export function verifiedProvider(provider: SkillProvider, options: VerifiedProviderOptions): SkillProvider {
  assertKnownOptions('verifiedProvider', options, knownOptions);
  const { require: rules = [{}], unsigned = 'refuse', signers, release, maxFileBytes, concurrency, ...verification } = options;
  const of = 'verifiedProvider';
  checkSignerRules(rules);
  const verifier = createSkillVerifier(verification);
  const releaseOf = release === undefined || typeof release === 'function' ? release : () => release;
  const source: SignedSource = {
    provider,
    verifier,
    unsigned,
    maxFileBytes: numberOption('maxFileBytes', maxFileBytes, { of, fallback: 32 * 1024 * 1024, least: 1 }),
    concurrency: numberOption('concurrency', concurrency, { of, fallback: 8, least: 1 }),
    readSkill: createSkillReader({ provider, verifier, rules, unsigned, signers, release: releaseOf }),
  };
  const verified: WrappedProvider = {
    listSkills: ({ signal } = {}) => listVerified(source, signal),

    async getSkill(name, { content, ...given } = {}) {
      const { version, signal } = given;
      const skill = await provider.getSkill(name, given);
      if (skill === null) return null;
      // From here on the version is fixed, so that everything that is read belongs together.
      const request = { name, version: version === undefined ? skill.version : version, signal };
      const found = await refusing(source, request, async () => await getVerified(source, request, skill));
      return content === undefined || content === found.content ? found : null;
    },

    async readResource(name, path, options = {}) {
      const { version, signal } = options;
      const request = { name, version, signal };
      return await refusing(source, request, async () => await readVerified(source, request, path, options));
    },
  };
  return wrapProvider(provider, verified);
}

/** A source, and what the host asks of it. */
export interface SignedSource {
  readonly provider: SkillProvider;
  readonly verifier: SkillVerifier;
  readonly unsigned: 'refuse' | 'untrusted' | 'allow';
  readonly maxFileBytes: number;
  readonly concurrency: number;
  readonly readSkill: ReturnType<typeof createSkillReader>;
}

/** Converts a refusal to the error of the call. */
async function refusing<Value extends object | null>(
  { provider }: SignedSource,
  request: SkillRequest,
  work: () => Promise<Value>,
): Promise<Value> {
  const result = await catchRefusal(async () => ({ value: await work() }));
  if ('value' in result) return result.value;
  throw refusalError(request, result, provider.label);
}

async function listVerified(source: SignedSource, signal: AbortSignal | undefined): Promise<SkillListing> {
  const listing = await source.provider.listSkills({ signal });
  const found: ListedSkill[] = [];
  const list = async (skill: SkillMetadata, index: number) => void (found[index] = await listOne(source, skill, signal));
  await forEachBounded(listing.skills, source.concurrency, list, signal);
  return deepFreeze({
    skills: found.flatMap(({ skill }) => skill ?? []),
    diagnostics: [...listing.diagnostics, ...found.flatMap(({ diagnostic }) => diagnostic ?? [])],
    complete: listing.complete && found.every(({ failed }) => failed !== true),
    ...(listing.unconfirmed !== undefined && { unconfirmed: listing.unconfirmed }),
  });
}

interface ListedSkill {
  readonly skill?: SkillMetadata;
  readonly diagnostic?: SkillDiagnostic;
  readonly failed?: true;
}

async function listOne(
  { provider, readSkill, unsigned }: SignedSource,
  listed: SkillMetadata,
  signal: AbortSignal | undefined,
): Promise<ListedSkill> {
  const { name, version } = listed;
  try {
    const found = await catchRefusal(async () => await readSkill({ name, version, signal }));
    if ('code' in found) return { diagnostic: refusalDiagnostic(listed, found) };
    const origin = verifiedOrigin(provider, listed.origin, found.trusted);
    if (found.statement !== null) return { skill: { ...found.metadata, origin } };
    return { skill: { ...listed, origin: { ...listed.origin, ...origin } }, diagnostic: unsignedDiagnostic(listed, unsigned) };
  } catch (error) {
    signal?.throwIfAborted();
    return { diagnostic: unavailableDiagnostic(listed, error), failed: true };
  }
}

async function getVerified(source: SignedSource, request: SkillRequest, skill: Skill): Promise<Skill> {
  const found = await source.readSkill(request);
  const origin = verifiedOrigin(source.provider, skill.origin, found.trusted);
  if (found.statement === null) return deepFreeze({ ...skill, origin: { ...skill.origin, ...origin } });
  const { metadata, body, diagnostics, statement } = found;
  const resources = await readSignedFiles(source, request, skill, statement);
  const content = await signedContent(statement, resources);
  return deepFreeze({ ...metadata, origin, ...(content !== undefined && { content }), body, diagnostics, resources });
}

async function readVerified(
  source: SignedSource,
  request: SkillRequest,
  path: string,
  options: ReadResourceOptions,
): Promise<SkillResource | null> {
  const { provider, verifier, maxFileBytes } = source;
  const { maxBytes, digest: wanted, content: _content, ...given } = options;
  const found = await readSkillOrNull(source, request, path);
  if (found === null) return null;
  if (found.statement === null) return await provider.readResource(request.name, path, options);
  const signed = servedDigests(found.statement).get(path);
  if (signed === undefined && path !== verifier.signatureName) return null;
  const resource = await provider.readResource(request.name, path, { ...given, maxBytes: maxFileBytes + 1 });
  if (resource === null) return null;
  if (resource.bytes.length > maxFileBytes) throw fileTooLarge(request, path, maxFileBytes);
  const bytes = resource.bytes.slice();
  const digest = await sha256Hex(bytes);
  if (signed === undefined) {
    // The signature file was read again, so it must verify again.
    const result = await verifier.verifySignature(bytes);
    if (!result.verified) throw new Refusal(result.problems[0]);
  } else if (digest !== signed) refuse('file-changed', `The file ${show(path)} differs from the one that was signed.`, path);
  if (wanted !== undefined && wanted !== digest) return null;
  return { path, bytes: bytes.subarray(0, maxBytes ?? bytes.length), size: bytes.length, mediaType: mediaTypeOf(path), digest };
}

/** `null` for a skill that the source does not have, which is not a refusal. */
async function readSkillOrNull({ provider, readSkill }: SignedSource, request: SkillRequest, path: string) {
  const found = await catchRefusal(async () => await readSkill(request, path !== 'SKILL.md'));
  if (!('code' in found)) return found;
  if (found.code === 'unsigned' && (await provider.getSkill(request.name, request)) === null) return null;
  throw new Refusal(found);
}
