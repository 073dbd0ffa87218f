import { fileURLToPath } from 'node:url';
import { SkillError, type Skill, type SkillProvider } from '@repertoire/skills-core';
import { createSkillVerifier, type SkillSigner, type SkillVerifier } from '@repertoire/skill-trust';
import { readSkillFolder } from '@repertoire/skill-trust/node';
import { readFilesToVerify } from '@repertoire/skill-trust/provider';
import type { SignatureView } from './views.ts';

/** Whom the host trusts to sign. */
export interface SignatureOptions {
  /** Root certificates, as PEM. @default none */
  readonly roots?: readonly string[] | undefined;
  /** Public keys, as PEM. @default none */
  readonly publicKeys?: readonly string[] | undefined;
}

const signatureName = 'skill.oms.sig';

/** Reads who signed skills. Without roots and keys, signatures are seen and not verified. */
export function signatureReader({
  roots = [],
  publicKeys = [],
}: SignatureOptions): (provider: SkillProvider, skill: Skill) => Promise<SignatureView> {
  const verifier = roots.length + publicKeys.length === 0 ? null : createSkillVerifier({ roots, publicKeys, signatureName });
  return async (provider, skill) => {
    if (!skill.resources.some(({ path }) => path === signatureName)) return { kind: 'not-signed' };
    if (verifier === null) return { kind: 'unverified' };
    try {
      return await verified(verifier, provider, skill);
    } catch (error) {
      if (!SkillError.isInstance(error)) throw error;
      return { kind: 'refused', problems: [error.message] };
    }
  };
}

async function verified(verifier: SkillVerifier, provider: SkillProvider, skill: Skill): Promise<SignatureView> {
  const uri = skill.origin?.uri;
  // A signature is over a folder: what a source does not list, such as a hidden file, counts too.
  const files =
    uri?.startsWith('file:') === true
      ? await readSkillFolder(fileURLToPath(uri))
      : await readFilesToVerify(provider, skill.name, { version: skill.version, signatureName });
  if (files === null) return { kind: 'refused', problems: ['The source does not have the skill any more.'] };
  const result = await verifier.verifySkill(files);
  return result.verified
    ? { kind: 'verified', signer: nameOf(result.signer) }
    : { kind: 'refused', problems: result.problems.map(({ message }) => message) };
}

function nameOf(signer: SkillSigner): string {
  if (signer.kind === 'key') return `the key ${signer.hint}`;
  return signer.kind === 'keyless' ? signer.identity : signer.subject;
}
