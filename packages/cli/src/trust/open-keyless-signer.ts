import { SkillError } from '@repertoire/skills-core';
import type { PayloadSigner } from '@repertoire/skill-trust';
import type { KeylessSignerOptions } from '@repertoire/skill-trust/sigstore';
import type { CommandIo } from '../commands/command.ts';

/**
 * Signs by the identity of a CI run, through sigstore's packages, which are not installed with the
 * command line.
 *
 * @throws {SkillError} `unsupported` if the packages are not installed
 */
export async function openKeylessSigner(
  options: Omit<KeylessSignerOptions, 'identityToken'>,
  env: CommandIo['env'],
): Promise<PayloadSigner> {
  const { keylessSigner } = await import('@repertoire/skill-trust/sigstore').catch((cause: unknown) => {
    throw new SkillError(
      'unsupported',
      "Signing without a key needs sigstore's packages. Run: npm install @sigstore/bundle @sigstore/protobuf-specs @sigstore/sign @sigstore/verify",
      { cause },
    );
  });
  return keylessSigner({ ...options, identityToken: env['SIGSTORE_ID_TOKEN'] });
}
