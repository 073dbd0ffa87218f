import { assertKnownOptions, skillSignatureFile, type OptionRules } from '@repertoire/skills-core/internal';
import { buildStatement } from '../statement/build-statement.ts';
import { assertSignatureName } from '../statement/file-names.ts';
import { statementPayloadType } from '../statement/skill-statement.ts';
import type { SkillFiles } from '../verify/verify-files.ts';
import type { PayloadSigner } from './payload-signer.ts';

/** Options of {@link signSkill}. */
export interface SignSkillOptions {
  /** Name of the skill, as its SKILL.md has it. It is informational. */
  readonly name: string;
  /** Who signs. */
  readonly signer: PayloadSigner;
  /** Name of the signature file, at the top of the skill. @default 'skill.oms.sig' */
  readonly signatureName?: string | undefined;
}

const knownOptions: OptionRules<SignSkillOptions> = {
  name: 'string',
  signer: '{}',
  signatureName: 'string',
};

/**
 * Signs every file of a skill and returns the content of the signature file. Not signed are the
 * signature file itself and, at the top level, `.git`, `.gitattributes`, `.github` and
 * `.gitignore`.
 *
 * @throws {SkillError} `invalid-skill` where there are no files, a symbolic link, or two names that
 *   are one file on some file systems; `invalid-path` for a name that cannot be signed;
 *   `invalid-options` for a key or certificate that cannot be used
 * @example
 * ```ts
 * import { keySigner, signSkill } from '@repertoire/skill-trust';
 *
 * export async function sign(skillMd: Uint8Array, keyPem: string): Promise<Uint8Array> {
 *   return await signSkill(new Map([['SKILL.md', skillMd]]), { name: 'billing', signer: keySigner({ key: keyPem }) });
 * }
 * ```
 */
export async function signSkill(files: SkillFiles, options: SignSkillOptions): Promise<Uint8Array> {
  assertKnownOptions('signSkill', options, knownOptions);
  const { name, signer, signatureName = skillSignatureFile } = options;
  assertSignatureName(signatureName);
  return await signer.sign(statementPayloadType, await buildStatement(name, files, signatureName));
}
