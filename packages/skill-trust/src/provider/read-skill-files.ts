import { SkillError } from '@repertoire/skills-core';
import { forEachBounded, numberOption, skillSignatureFile } from '@repertoire/skills-core/provider';
import { show } from '../problem/refusal.ts';
import type { SkillFiles } from '../verify/verify-files.ts';
import type { GetSkillOptions, SkillProvider } from '@repertoire/skills-core';

/** Options of {@link readSkillFiles}. */
export interface ReadSkillFilesOptions extends GetSkillOptions {
  /** Name of the signature file. @default 'skill.oms.sig' */
  readonly signatureName?: string | undefined;
  /** The most bytes of a file. @default 33554432 (32 MiB) */
  readonly maxFileBytes?: number | undefined;
}

/** How many files are read at the same time. */
const concurrency = 8;

/**
 * Reads every file of a skill from a source, SKILL.md and the signature among them, for `verifySkill` and `signSkill`. Files that the
 * source does not list are not seen: to verify what is on a disk, read the folder.
 *
 * @returns `null` for a skill that the source does not have
 * @throws {SkillError} `limit-exceeded` for a file beyond `maxFileBytes`; `unsupported` where the source does not have SKILL.md as its
 *   author wrote it
 * @example
 * ```ts
 * import { createSkillVerifier } from '@repertoire/skill-trust';
 * import { readSkillFiles } from '@repertoire/skill-trust/provider';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function isGenuine(provider: SkillProvider, name: string, rootPem: string): Promise<boolean> {
 *   const files = await readSkillFiles(provider, name);
 *   return files !== null && (await createSkillVerifier({ roots: [rootPem] }).verifySkill(files)).verified;
 * }
 * ```
 */
export async function readSkillFiles(
  provider: SkillProvider,
  name: string,
  options: ReadSkillFilesOptions = {},
): Promise<SkillFiles | null> {
  const { signal, signatureName = skillSignatureFile } = options;
  const maxFileBytes = numberOption('maxFileBytes', options.maxFileBytes, { of: 'readSkillFiles', fallback: 32 * 1024 * 1024, least: 1 });
  const skill = await provider.getSkill(name, { version: options.version, signal });
  if (skill === null) return null;
  const files = new Map<string, Uint8Array>();
  const paths = [...new Set(['SKILL.md', signatureName, ...skill.resources.map(({ path }) => path)])];
  await forEachBounded(
    paths,
    concurrency,
    async (path) => {
      const resource = await provider.readResource(name, path, { version: skill.version, maxBytes: maxFileBytes + 1, signal });
      if (resource === null) return;
      if (resource.bytes.length > maxFileBytes)
        throw new SkillError('limit-exceeded', `The file ${show(path)} has more than ${maxFileBytes} bytes. Raise maxFileBytes.`, {
          skill: name,
          path,
        });
      files.set(path, resource.bytes.slice());
    },
    signal,
  );
  if (files.has('SKILL.md')) return files;
  throw new SkillError('unsupported', `"${provider.label}" does not have SKILL.md of ${show(name)} as its author wrote it.`, {
    skill: name,
    path: 'SKILL.md',
    source: provider.label,
  });
}
