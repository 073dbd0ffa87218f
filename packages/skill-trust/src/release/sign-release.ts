import { SkillError } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { Refusal } from '../problem/refusal.ts';
import type { PayloadSigner } from '../sign/payload-signer.ts';
import { compareCodePoints } from '../statement/file-names.ts';
import { parseRelease, releasePayloadType, type ReleaseDocument } from './release-document.ts';

/** A signed release. */
export interface SignedRelease {
  /** The content of the file to publish next to the index of the skills. */
  readonly bytes: Uint8Array;
  /** Digest of the release, which the next one names as `previous`. */
  readonly digest: string;
}

/**
 * Signs a release document. The skills are sorted by name and version, so that one state has one
 * digest.
 *
 * @throws {SkillError} `invalid-options` for a document that readers would reject
 * @example
 * ```ts
 * import { signRelease, type PayloadSigner, type ReleasedSkill, type SignedRelease } from '@repertoire/skill-trust';
 *
 * export async function firstRelease(skills: readonly ReleasedSkill[], signer: PayloadSigner): Promise<SignedRelease> {
 *   const [issued, expires] = ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'];
 *   return await signRelease({ source: 'https://skills.example.com', release: 1, issued, expires, previous: null, skills }, signer);
 * }
 * ```
 */
export async function signRelease(document: ReleaseDocument, signer: PayloadSigner): Promise<SignedRelease> {
  const { source, release, issued, expires, previous, index = null } = document;
  const skills = document.skills
    .map(({ name, version, digest }) => ({ name, version, digest }))
    .sort((a, b) => compareCodePoints(a.name, b.name) || compareCodePoints(a.version ?? '', b.version ?? ''));
  const payload = new TextEncoder().encode(JSON.stringify({ source, release, issued, expires, previous, skills, index }));
  try {
    parseRelease(payload, skills.length);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new SkillError('invalid-options', error.message, { cause: error });
  }
  return { bytes: await signer.sign(releasePayloadType, payload), digest: await sha256Hex(payload) };
}
