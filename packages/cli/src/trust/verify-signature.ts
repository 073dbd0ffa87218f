import { SkillError } from '@repertoire/skills-core';
import type { SignatureProblem, SkillSigner, SkillVerifier } from '@repertoire/skill-trust';
import { readSkillFolder } from '@repertoire/skill-trust/node';
import { readFilesToVerify } from '@repertoire/skill-trust/provider';
import { isInFolder, type FoundSkill } from '../source/skills-of-source.ts';

/** The verdict on the signature of one skill. */
export interface SignatureVerdict {
  readonly verified: boolean;
  readonly signer: SkillSigner | null;
  readonly problems: readonly SignatureProblem[];
}

/**
 * Verifies the signature of a skill: every file of its folder, hidden ones too, or every file that
 * its source serves.
 *
 * @param signatureName name of the signature file @default 'skill.oms.sig'
 * @throws {SkillError} `unsupported` where a source does not serve SKILL.md as its author wrote it;
 *   what the source rejects with
 */
export async function verifySignature(
  verifier: SkillVerifier,
  skill: FoundSkill,
  { signatureName, signal }: { readonly signatureName?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<SignatureVerdict> {
  const files = isInFolder(skill)
    ? await readSkillFolder(skill.folder)
    : await readFilesToVerify(skill.provider, skill.metadata.name, { version: skill.metadata.version, signatureName, signal });
  if (files === null) throw new SkillError('source-unavailable', `${skill.shown} is listed and cannot be read.`);
  const result = await verifier.verifySkill(files);
  return result.verified
    ? { verified: true, signer: result.signer, problems: [] }
    : { verified: false, signer: null, problems: result.problems };
}

/** A signer for people. */
export function signerTitle(signer: SkillSigner): string {
  return signer.kind === 'key' ? `the key ${signer.hint}` : signer.kind === 'keyless' ? signer.identity : signer.subject;
}
