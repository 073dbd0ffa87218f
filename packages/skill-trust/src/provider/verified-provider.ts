import { SkillError, type Skill, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions, deepFreeze, messageOf, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import {
  compareResources,
  forEachBounded,
  mediaTypeOf,
  resourceEntry,
  sha256Hex,
  skillDigestFromFileDigests,
  wrapProvider,
  type ReadResourceOptions,
  type SkillResource,
  type SkillResourceEntry,
} from '@repertoire/skills-core/provider';
import { checkSignerRules } from '../policy/signer-rule.ts';
import { catchRefusal, Refusal, refuse, show } from '../problem/refusal.ts';
import type { SkillStatement } from '../statement/skill-statement.ts';
import { createSkillVerifier, skillVerifierRules } from '../verify/create-skill-verifier.ts';
import { isUnsignedPath } from '../verify/verify-files.ts';
import { refusalDiagnostic, refusalError } from './refusals.ts';
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
  const { require: rules = [{}], unsigned = 'refuse', signers, release, maxFileBytes, concurrency: given, ...verification } = options;
  const of = 'verifiedProvider';
  checkSignerRules(rules);
  const verifier = createSkillVerifier(verification);
  const releaseOf = release === undefined || typeof release === 'function' ? release : () => release;
  const mostBytes = numberOption('maxFileBytes', maxFileBytes, { of, fallback: 32 * 1024 * 1024, least: 1 });
  const concurrency = numberOption('concurrency', given, { of, fallback: 8, least: 1 });
  const readSkill = createSkillReader({ provider, verifier, rules, unsigned, signers, release: releaseOf });

  /** Converts a refusal to the error of the call. */
  async function refusing<Value extends object | null>(request: SkillRequest, work: () => Promise<Value>): Promise<Value> {
    const result = await catchRefusal(async () => ({ value: await work() }));
    if ('value' in result) return result.value;
    throw refusalError(request, result, provider.label);
  }

  async function listOne(listed: SkillMetadata, signal: AbortSignal | undefined): Promise<ListedSkill> {
    const { name, version } = listed;
    const about = (code: string, severity: SkillDiagnostic['severity'], what: string): SkillDiagnostic => ({
      code,
      severity,
      message: `The skill ${show(name)} ${what}`,
      skill: name,
    });
    try {
      const found = await catchRefusal(async () => await readSkill({ name, version, signal }));
      if ('code' in found) return { diagnostic: refusalDiagnostic(listed, found) };
      const origin = verifiedOrigin(provider, listed.origin, found.trusted);
      if (found.statement !== null) return { skill: { ...found.metadata, origin } };
      const diagnostic = about('unsigned', unsigned === 'untrusted' ? 'warning' : 'info', 'has no signature.');
      return { skill: { ...listed, origin: { ...listed.origin, ...origin } }, diagnostic };
    } catch (error) {
      signal?.throwIfAborted();
      return { diagnostic: about('signature-unavailable', 'error', `could not be verified: ${messageOf(error)}`), failed: true };
    }
  }

  /** Lists the files of a signed skill. Rejects additional and missing ones without reading. */
  async function signedFiles({ name, version, signal }: SkillRequest, skill: Skill, statement: SkillStatement) {
    const listed = new Map(skill.resources.map((entry) => [entry.path, entry]));
    const digests = servedDigests(statement);
    for (const path of listed.keys())
      if (!digests.has(path) && !isUnsignedPath(path, statement, verifier.signatureName))
        refuse('file-extra', `The file ${show(path)} was not signed.`, path);
    const paths = [...digests.keys()].filter((path) => path !== 'SKILL.md');
    const expectFile = async (path: string): Promise<void> => {
      // A list may be truncated, so a missing entry is checked by reading the file.
      const resource = await provider.readResource(name, path, { version, maxBytes: 0, signal });
      if (resource === null) refuse('file-missing', `The source does not have the signed file ${show(path)}.`, path);
    };
    const unlisted = paths.filter((path) => !listed.has(path));
    await forEachBounded(unlisted, concurrency, expectFile, signal);
    const entryOf = (path: string): SkillResourceEntry => {
      const [size, digest] = [listed.get(path)?.size, digests.get(path)];
      return resourceEntry(path, { ...(size !== undefined && { size }), ...(digest !== undefined && { digest }) });
    };
    return paths.map(entryOf).sort(compareResources);
  }

  async function getVerified(request: SkillRequest, skill: Skill): Promise<Skill> {
    const found = await readSkill(request);
    const origin = verifiedOrigin(provider, skill.origin, found.trusted);
    if (found.statement === null) return deepFreeze({ ...skill, origin: { ...skill.origin, ...origin } });
    const { metadata, body, diagnostics, statement } = found;
    const resources = await signedFiles(request, skill, statement);
    const content = await signedContent(statement, resources);
    return deepFreeze({ ...metadata, origin, ...(content !== undefined && { content }), body, diagnostics, resources });
  }

  async function readVerified(request: SkillRequest, path: string, asked: ReadResourceOptions): Promise<SkillResource | null> {
    const { maxBytes, digest: wanted, content: _content, ...rest } = asked;
    const found = await catchRefusal(async () => await readSkill(request, path !== 'SKILL.md'));
    if ('code' in found) {
      // A skill that the source does not have is not refused.
      if (found.code === 'unsigned' && (await provider.getSkill(request.name, request)) === null) return null;
      throw new Refusal(found);
    }
    if (found.statement === null) return await provider.readResource(request.name, path, asked);
    const signed = servedDigests(found.statement).get(path);
    if (signed === undefined && path !== verifier.signatureName) return null;
    const resource = await provider.readResource(request.name, path, { ...rest, maxBytes: mostBytes + 1 });
    if (resource === null) return null;
    if (resource.bytes.length > mostBytes) {
      const message = `The file ${show(path)} has more than ${mostBytes} bytes. Raise maxFileBytes of verifiedProvider.`;
      throw new SkillError('limit-exceeded', message, { skill: request.name, path });
    }
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

  return wrapProvider(provider, {
    async listSkills({ signal } = {}) {
      const listing = await provider.listSkills({ signal });
      const found: ListedSkill[] = [];
      const list = async (skill: SkillMetadata, index: number) => void (found[index] = await listOne(skill, signal));
      await forEachBounded(listing.skills, concurrency, list, signal);
      return deepFreeze({
        skills: found.flatMap(({ skill }) => skill ?? []),
        diagnostics: [...listing.diagnostics, ...found.flatMap(({ diagnostic }) => diagnostic ?? [])],
        complete: listing.complete && found.every(({ failed }) => failed !== true),
        ...(listing.unconfirmed !== undefined && { unconfirmed: listing.unconfirmed }),
      });
    },

    async getSkill(name, { content, ...asked } = {}) {
      const { version, signal } = asked;
      const skill = await provider.getSkill(name, asked);
      if (skill === null) return null;
      // From here on the version is fixed, so that everything that is read belongs together.
      const request = { name, version: version === undefined ? skill.version : version, signal };
      const found = await refusing(request, async () => await getVerified(request, skill));
      return content === undefined || content === found.content ? found : null;
    },

    async readResource(name, path, asked = {}) {
      const request = { name, version: asked.version, signal: asked.signal };
      return await refusing(request, async () => await readVerified(request, path, asked));
    },
  });
}

interface ListedSkill {
  readonly skill?: SkillMetadata;
  readonly diagnostic?: SkillDiagnostic;
  readonly failed?: true;
}

/** Returns digests of the signed files by their served path, which is in Unicode NFC. */
function servedDigests({ files }: SkillStatement): Map<string, string> {
  return new Map([...files].map(([name, digest]) => [name.normalize('NFC'), digest]));
}

/** Returns the content of a skill; `undefined` where a served file has no signed digest. */
async function signedContent(statement: SkillStatement, resources: Skill['resources']): Promise<string | undefined> {
  const digests: Record<string, string> = {};
  const signed = servedDigests(statement);
  for (const { path, digest = signed.get(path) } of [{ path: 'SKILL.md' }, ...resources] as readonly { path: string; digest?: string }[]) {
    if (digest === undefined) return undefined;
    digests[path] = digest;
  }
  return await skillDigestFromFileDigests(digests);
}
