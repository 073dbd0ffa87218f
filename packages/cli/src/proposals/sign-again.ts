import type { SkillFilesByPath } from '@repertoire/skill-proposals';
import { signSkill } from '@repertoire/skill-trust';
import { openSigner } from '../trust/open-index-signer.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** The key of a person who accepts, as files. */
export interface SigningKey {
  readonly key?: string | undefined;
  readonly certificate?: string | undefined;
}

/**
 * Signs the files of an accepted skill where the skill has a signature: the old one would refuse
 * them.
 *
 * @throws {SkillError} `invalid-options` for a signed skill without a key
 */
export async function signAgain(
  skill: string,
  files: SkillFilesByPath,
  { key, certificate }: SigningKey,
  cwd: string,
): Promise<SkillFilesByPath> {
  const signatures = Object.keys(files).filter((path) => path.endsWith('.oms.sig'));
  const [signatureName = 'skill.oms.sig'] = signatures;
  if (key === undefined && signatures.length === 0) return files;
  if (key === undefined)
    throw wrongUsage(
      `The skill ${JSON.stringify(skill)} is signed (${signatureName}). Give --key, so that what you accept is signed too.`,
      { skill },
    );
  const signer = await openSigner({ key, certificate }, cwd, '--key', '--certificate');
  const signature = await signSkill(new Map(Object.entries(files)), { name: skill, signer, signatureName });
  return { ...files, [signatureName]: typeof signature === 'string' ? new TextEncoder().encode(signature) : signature };
}
