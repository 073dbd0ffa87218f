import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { skillSignatureFile, type ReadSkillFilesOptions } from '@repertoire/skills-core/internal';
import { readSkillFiles, type GetSkillOptions } from '@repertoire/skills-core/provider';
import { show } from '../problem/refusal.ts';
import type { SkillFiles } from '../verify/verify-files.ts';

/** Options of {@link readFilesToVerify}. */
export interface ReadFilesToVerifyOptions extends GetSkillOptions, ReadSkillFilesOptions {
  /** Name of the signature file. @default 'skill.oms.sig' */
  readonly signatureName?: string | undefined;
}

/** A signature holds a digest for each file, so it is small. */
const maxSignatureBytes = 8 * 1024 * 1024;

/**
 * Reads every file of a skill from a source, SKILL.md and the signature among them, for
 * `verifySkill` and `signSkill`. Files that the source does not list are not seen: to verify what
 * is on a disk, read the folder.
 *
 * @returns `null` for a skill that the source does not have
 * @throws {SkillError} `limit-exceeded` for more files or bytes than allowed; `resource-not-found`
 *   for a listed file that cannot be read; `unsupported` if the source does not have the author's
 *   SKILL.md
 * @example
 * ```ts
 * import { createSkillVerifier } from '@repertoire/skill-trust';
 * import { readFilesToVerify } from '@repertoire/skill-trust/provider';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function isGenuine(provider: SkillProvider, name: string, rootPem: string): Promise<boolean> {
 *   const files = await readFilesToVerify(provider, name);
 *   return files !== null && (await createSkillVerifier({ roots: [rootPem] }).verifySkill(files)).verified;
 * }
 * ```
 */
export async function readFilesToVerify(
  provider: SkillProvider,
  name: string,
  { version, signal, signatureName = skillSignatureFile, ...limits }: ReadFilesToVerifyOptions = {},
): Promise<SkillFiles | null> {
  const skill = await provider.getSkill(name, { version, signal });
  if (skill === null) return null;
  const { files, isOriginal } = await readSkillFiles(provider, skill, { ...limits, signal });
  if (!isOriginal)
    throw new SkillError('unsupported', `"${provider.label}" does not have SKILL.md of ${show(name)} as its author wrote it.`, {
      skill: name,
      path: 'SKILL.md',
      source: provider.label,
    });
  const found = new Map(Object.entries(files));
  if (found.has(signatureName)) return found;
  const signature = await provider.readResource(name, signatureName, { version: skill.version, maxBytes: maxSignatureBytes, signal });
  if (signature !== null) found.set(signatureName, signature.bytes.slice());
  return found;
}
