import type { SignatureProblem, SkillSigner, SkillVerifier } from '@repertoire/skill-trust';
import { readSkillFolder } from '@repertoire/skill-trust/node';

/** The verdict on the signature of one skill. */
export interface SignatureVerdict {
  readonly verified: boolean;
  readonly signer: SkillSigner | null;
  readonly problems: readonly SignatureProblem[];
}

/** Verifies the signature of a skill in a folder: every file of it, hidden ones too. */
export async function verifyFolder(verifier: SkillVerifier, folder: string): Promise<SignatureVerdict> {
  const result = await verifier.verifySkill(await readSkillFolder(folder));
  return result.verified
    ? { verified: true, signer: result.signer, problems: [] }
    : { verified: false, signer: null, problems: result.problems };
}

/** A signer for people. */
export function signerTitle(signer: SkillSigner): string {
  return signer.kind === 'key' ? `the key ${signer.hint}` : signer.kind === 'keyless' ? signer.identity : signer.subject;
}
