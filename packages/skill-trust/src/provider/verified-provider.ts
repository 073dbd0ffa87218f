import { type Skill, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions, deepFreeze, numberOption, type OptionRules, type WrappedProvider } from '@repertoire/skills-core/internal';
import {
  forEachBounded,
  mediaTypeOf,
  sha256Hex,
  wrapProvider,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillCallOptions,
  type SkillListing,
  type SkillResource,
} from '@repertoire/skills-core/provider';
import { checkSignerRules } from '../policy/signer-rule.ts';
import { catchRefusal, Refusal, refuse, show } from '../problem/refusal.ts';
import { createSkillVerifier, skillVerifierRules } from '../verify/create-skill-verifier.ts';
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
  const {
    require: rules = [{}],
    unsigned = 'refuse',
    signers,
    release,
    maxFileBytes: mostBytes,
    concurrency: reads,
    ...verification
  } = options;
  const of = 'verifiedProvider';
  checkSignerRules(rules);
  const maxFileBytes = numberOption('maxFileBytes', mostBytes, { of, fallback: 32 * 1024 * 1024, least: 1 });
  const concurrency = numberOption('concurrency', reads, { of, fallback: 8, least: 1 });
  const verifier = createSkillVerifier(verification);
  const releaseOf = release === undefined || typeof release === 'function' ? release : () => release;
  const readSkill = createSkillReader({ provider, verifier, rules, unsigned, signers, release: releaseOf });

  /** Converts a refusal to the error of the call. */
  async function refusing<Value extends object | null>(request: SkillRequest, work: () => Promise<Value>): Promise<Value> {
    const result = await catchRefusal(async () => ({ value: await work() }));
    if ('value' in result) return result.value;
    throw refusalError(request, result, provider.label);
  }

  async function listOne(
    listed: SkillMetadata,
    signal: AbortSignal | undefined,
  ): Promise<{ skill?: SkillMetadata; diagnostic?: SkillDiagnostic; failed?: true }> {
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

  const verified: WrappedProvider = {
    async listSkills({ signal }: SkillCallOptions = {}): Promise<SkillListing> {
      const listing = await provider.listSkills({ signal });
      const found: Awaited<ReturnType<typeof listOne>>[] = [];
      await forEachBounded(listing.skills, concurrency, async (skill, index) => void (found[index] = await listOne(skill, signal)), signal);
      return deepFreeze({
        skills: found.flatMap(({ skill }) => skill ?? []),
        diagnostics: [...listing.diagnostics, ...found.flatMap(({ diagnostic }) => diagnostic ?? [])],
        complete: listing.complete && found.every(({ failed }) => failed !== true),
      });
    },

    async getSkill(name: string, { content, ...given }: GetSkillOptions = {}): Promise<Skill | null> {
      const { version, signal } = given;
      const skill = await provider.getSkill(name, given);
      if (skill === null) return null;
      // From here on the version is fixed, so that everything that is read belongs together.
      const request = { name, version: version === undefined ? skill.version : version, signal };
      return await refusing(request, async () => {
        const found = await readSkill(request);
        const origin = verifiedOrigin(provider, skill.origin, found.trusted);
        if (found.statement === null)
          return content === undefined || content === skill.content
            ? deepFreeze({ ...skill, origin: { ...skill.origin, ...origin } })
            : null;
        const { metadata, body, diagnostics, statement } = found;
        const resources = await readSignedFiles({
          provider,
          request,
          skill,
          statement,
          signatureName: verifier.signatureName,
          concurrency,
        });
        const signed = await signedContent(statement, resources);
        if (content !== undefined && content !== signed) return null;
        return deepFreeze({ ...metadata, origin, ...(signed !== undefined && { content: signed }), body, diagnostics, resources });
      });
    },

    async readResource(name: string, path: string, options: ReadResourceOptions = {}): Promise<SkillResource | null> {
      const { version, maxBytes, signal, digest: wanted, content: _content, ...given } = options;
      const request = { name, version, signal };
      return await refusing(request, async () => {
        const found = await readSkillOrNull(request, path);
        if (found === null) return null;
        if (found.statement === null) return await provider.readResource(name, path, options);
        const digest = servedDigests(found.statement).get(path);
        if (digest === undefined && path !== verifier.signatureName) return null;
        const resource = await provider.readResource(name, path, { ...given, version, maxBytes: maxFileBytes + 1, signal });
        if (resource === null) return null;
        if (resource.bytes.length > maxFileBytes) throw fileTooLarge(request, path, maxFileBytes);
        const bytes = resource.bytes.slice();
        const actual = await sha256Hex(bytes);
        if (digest === undefined) await expectSignature(bytes);
        else if (actual !== digest) refuse('file-changed', `The file ${show(path)} differs from the one that was signed.`, path);
        if (wanted !== undefined && wanted !== actual) return null;
        return {
          path,
          bytes: bytes.subarray(0, maxBytes ?? bytes.length),
          size: bytes.length,
          mediaType: mediaTypeOf(path),
          digest: actual,
        };
      });
    },
  };
  return wrapProvider(provider, verified);

  /** `null` for a skill that the source does not have, which is not a refusal. */
  async function readSkillOrNull(request: SkillRequest, path: string): Promise<Awaited<ReturnType<typeof readSkill>> | null> {
    const found = await catchRefusal(async () => await readSkill(request, path !== 'SKILL.md'));
    if (!('code' in found)) return found;
    if (found.code === 'unsigned' && (await provider.getSkill(request.name, request)) === null) return null;
    throw new Refusal(found);
  }

  /** The signature file was read again, so it must verify again. */
  async function expectSignature(bytes: Uint8Array): Promise<void> {
    const result = await verifier.verifySignature(bytes);
    if (!result.verified) throw new Refusal(result.problems[0]);
  }
}
