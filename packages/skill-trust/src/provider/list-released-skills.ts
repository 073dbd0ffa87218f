import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { forEachBounded, type SkillCallOptions } from '@repertoire/skills-core/provider';
import { show } from '../problem/refusal.ts';
import type { ReleasedSkill } from '../release/release-document.ts';
import type { SkillVerifier } from '../verify/create-skill-verifier.ts';
import { readFilesToVerify } from './read-files-to-verify.ts';
import { refusalError } from './refusals.ts';

const concurrency = 4;

/**
 * Lists the skills of a source for a release document, with the digests of their signatures. Every
 * skill must be signed and verify completely, so that a publisher never promises what its readers
 * would reject.
 *
 * @throws {SkillError} `signature-refused` for a skill that does not verify; `source-unavailable`
 *   for a listing that is not complete
 * @example
 * ```ts
 * import { signRelease, type PayloadSigner, type SignedRelease, type SkillVerifier } from '@repertoire/skill-trust';
 * import { listReleasedSkills } from '@repertoire/skill-trust/provider';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function release(provider: SkillProvider, verifier: SkillVerifier, signer: PayloadSigner): Promise<SignedRelease> {
 *   const skills = await listReleasedSkills(provider, verifier);
 *   const [issued, expires] = ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'];
 *   return await signRelease({ source: 'https://skills.example.com', release: 1, issued, expires, previous: null, skills }, signer);
 * }
 * ```
 */
export async function listReleasedSkills(
  provider: SkillProvider,
  verifier: SkillVerifier,
  { signal }: SkillCallOptions = {},
): Promise<ReleasedSkill[]> {
  const { skills, complete } = await provider.listSkills({ signal });
  if (!complete)
    throw new SkillError('source-unavailable', `"${provider.label}" did not list all of its skills. Try again.`, {
      source: provider.label,
    });
  const released: ReleasedSkill[] = [];
  const release = async ({ name, version }: (typeof skills)[number], index: number): Promise<void> => {
    const files = await readFilesToVerify(provider, name, { version, signatureName: verifier.signatureName, signal });
    if (files === null) throw new SkillError('skill-not-found', `The skill ${show(name)} is listed and cannot be read.`, { skill: name });
    const result = await verifier.verifySkill(files);
    if (!result.verified) throw refusalError({ name, version }, result.problems[0], provider.label);
    released[index] = { name, version, digest: result.statement.digest };
  };
  await forEachBounded(skills, concurrency, release, signal);
  return released;
}
